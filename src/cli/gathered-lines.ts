/** A log entry as it comes in JSON: what has no name here is kept as it is. */
export interface LogEntry {
  readonly level: string
  readonly msg: string
  readonly projection?: string
  readonly [field: string]: unknown
}

export interface GatheredLinesOptions {
  readonly write: (entry: LogEntry) => void
  /** Whether people read: then what read models say besides their name is left out where several say the same. */
  readonly forPeople: boolean
  /** How long the first of several lines waits for the others; 300 ms unless given. */
  readonly windowMs?: number
}

/** Differs from read model to read model without being another message. */
const ownFields = [
  'time',
  'thread',
  'projection',
  'version',
  'instance',
  'generation',
  'epoch',
  'position',
  'head',
] as const

/**
 * Makes one line of what many read models say within a moment: `projections` has the names. A warning is one wherever it is
 * read, what merely happens only where people read it, and an error is told at once, since each needs somebody.
 */
export class GatheredLines {
  readonly #options: GatheredLinesOptions
  readonly #waiting = new Map<string, LogEntry[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: GatheredLinesOptions) {
    this.#options = options
  }

  /** Whether the entry is told later, with others or alone. */
  takes(entry: LogEntry): boolean {
    const { level, projection } = entry
    if (projection === undefined || !(level === 'warn' || (level === 'info' && this.#options.forPeople))) return false
    const key = JSON.stringify(this.#shared(entry))
    const entries = this.#waiting.get(key) ?? []
    entries.push(entry)
    this.#waiting.set(key, entries)
    this.#timer ??= setTimeout(() => this.flush(), this.#options.windowMs ?? 300)
    return true
  }

  /** Tells what waits. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const entries of all) this.#options.write(this.#together(entries))
  }

  #together(entries: readonly LogEntry[]): LogEntry {
    const [first] = entries as readonly [LogEntry]
    const projections = [...new Set(entries.map(({ projection }) => projection))]
    if (projections.length === 1) return first
    const { time, thread } = first
    const shared = this.#shared(first) as LogEntry
    return { ...shared, time, thread, projections: this.#options.forPeople ? projections.join(', ') : projections }
  }

  #shared(entry: LogEntry): object {
    const own = new Set<string>(ownFields)
    const isShared = ([name]: [string, unknown]): boolean => !own.has(name)
    return Object.fromEntries(Object.entries(entry).filter(isShared))
  }
}
