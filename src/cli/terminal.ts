import { createRequire } from 'node:module'
import pino from 'pino'
import { GatheredLines, type LogEntry } from '#src/cli/gathered-lines.ts'
import type { Config } from '#src/config/schema.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { printableLines } from '#src/domain/printable-text.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface TerminalStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface TerminalOptions {
  /** Data, banners and summaries. */
  readonly out: TerminalStream
  /** Log lines, status line and errors. */
  readonly err: TerminalStream
  readonly format: Config['log']['format']
  readonly colours: boolean
}

const entriesShownMax = 4

/** The one place that writes to the terminal, so that log lines and the status line do not overwrite each other. */
export class Terminal {
  readonly #options: TerminalOptions
  readonly #pretty: ((input: unknown) => string | undefined) | undefined
  readonly #gathered: GatheredLines
  #status = ''

  constructor(options: TerminalOptions) {
    this.#options = options
    const { format, err, colours } = options
    if (format === 'pretty' || (format === 'auto' && err.isTTY)) {
      // Most verbs end in less time than it takes to load.
      const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
      this.#pretty = prettyFactory({
        colorize: colours && err.isTTY === true,
        ignore: 'pid,hostname,thread',
        translateTime: 'SYS:HH:MM:ss',
        singleLine: true,
      })
    }
    const forPeople = this.#pretty !== undefined
    this.#gathered = new GatheredLines({ write: (entry) => this.#writeLog(JSON.stringify(entry)), forPeople })
  }

  /** Whether a status line can be rewritten in place. */
  get isLive(): boolean {
    return this.#options.err.isTTY === true
  }

  /** Characters that fit into the status line. */
  get width(): number {
    return Math.max(0, (this.#options.err.columns || 80) - 1)
  }

  print(text: string): void {
    this.#clearStatus()
    this.#options.out.write(`${text}\n`)
    this.#drawStatus()
  }

  /** The same of a text in which others' words are, such as names that a bucket lists: nothing of them is for the terminal to obey. */
  tell(text: string): void {
    this.print(printableLines(text))
  }

  /** One log entry as JSON text. What others have said is in it, also in the causes of errors: nothing of that is for the terminal to obey. */
  log(line: string): void {
    if (!line.includes('"projection":') || !this.#gathered.takes(JSON.parse(line) as LogEntry)) this.#writeLog(line)
  }

  /** Writes the log lines that wait for others of their kind. */
  flush(): void {
    this.#gathered.flush()
  }

  #writeLog(line: string): void {
    const text = this.#pretty?.(forPeople(JSON.parse(line, printableValue) as LogEntry)) ?? printableLines(line)
    this.#clearStatus()
    this.#options.err.write(text.endsWith('\n') ? text : `${text}\n`)
    this.#drawStatus()
  }

  /** Replaces the status line; an empty text removes it. Without effect where lines cannot be rewritten. */
  setStatus(text: string): void {
    if (!this.isLive) return
    this.#clearStatus()
    this.#status = text.slice(0, this.width)
    this.#drawStatus()
  }

  #clearStatus(): void {
    if (this.#status !== '') this.#options.err.write('\r\x1b[2K')
  }

  #drawStatus(): void {
    if (this.#status !== '') this.#options.err.write(this.#status)
  }
}

/** Without what fills a screen: of a record of many read models, how many there are. */
function forPeople(entry: LogEntry): object {
  const short = ([name, value]: [string, unknown]): [string, unknown] => [name, name === 'err' ? value : counted(value)]
  return Object.fromEntries(Object.entries(entry).map(short))
}

function counted(value: unknown): unknown {
  const size = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0
  return size > entriesShownMax ? `${size} entries` : value
}

function printableValue(_: string, value: unknown): unknown {
  return typeof value === 'string' ? printableLines(value) : value
}

/**
 * A logger whose entries go to `write` as JSON lines, with the name of the level and the time as ISO 8601; `thread` says which role speaks. Stacks of what the catalogue knows are
 * for those who debug; what nobody expected always has its stack.
 */
export function createLogger(level: Config['log']['level'], thread: string, write: (line: string) => void): Logger {
  const debugs = level === 'debug' || level === 'trace'
  const err = (error: unknown): unknown => {
    if (!debugs && isLedgerError(error)) return { code: error.code, message: error.message }
    return error instanceof Error ? pino.stdSerializers.err(error) : error
  }
  const formatters = { level: (label: string) => ({ level: label }) }
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: { thread }, formatters, timestamp, serializers: { err } }, { write })
}
