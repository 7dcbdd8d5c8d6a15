import { randomBytes } from 'node:crypto'
import type { ImportPresence } from '#src/operations/import-presence.ts'
import { membersOf } from '#src/operations/parsed-document.ts'
import type { RunningInstance } from '#src/operations/running-instance.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'

export type { ImportPresence, RunningInstance }

/** What a process says of itself with each beat; parts that it does not do are absent. */
export interface ProcessFigures {
  readonly runs?: readonly RunningInstance[]
  /** Id of the instance that its requests are answered from, by read model. */
  readonly serves?: Readonly<Record<string, string>>
  /** Versions that its code has, by read model. */
  readonly knows?: Readonly<Record<string, readonly number[]>>
  readonly imports?: ImportPresence
  /** Where it listens for requests. */
  readonly port?: number
}

export interface ProcessDocument extends ProcessFigures {
  /** Random, of this process or thread. */
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly codeVersion: string
  /** ISO 8601, by the clock of the process itself. */
  readonly startedAt: string
  readonly beatAt: string
  /** One more with every sign of life. */
  readonly beat: number
  /** Milliseconds between two of them. */
  readonly intervalMs: number
}

export interface PresentProcess extends ProcessDocument {
  readonly alive: boolean
}

const documentPrefix = 'process/'
/** Signs of life that may be missed. */
const missedBeatsMax = 5
/** A document that nobody touched for so long belongs to a process that was killed. */
const abandonedAfterMs = 3_600_000
const cleanUpEveryBeats = 600

export interface AnnounceOptions {
  readonly control: ControlStore
  readonly role: string
  readonly codeVersion: string
  readonly host: string
  readonly pid: number
  readonly figures: () => ProcessFigures
  readonly intervalMs?: number
  readonly signal: AbortSignal
  readonly logger: Logger
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

export interface Presence {
  readonly id: string
  /** Why the last sign of life could not be given; undefined when it was. */
  readonly problem: unknown
  /** Says at once what has changed, instead of with the next beat. A store that is away is waited for by later beats. */
  beat(): Promise<void>
  /** Resolves when the signal has ended it and the document is removed. */
  readonly ended: Promise<void>
}

/** Keeps a document with signs of life of this process until the signal, whatever the store does meanwhile. */
export function announcePresence(options: AnnounceOptions): Presence {
  const heart = new Heart(options)
  const ended = heart.run(options.signal)
  return {
    id: heart.id,
    get problem() {
      return heart.problem
    },
    beat: () => heart.beat(),
    ended,
  }
}

/** Whoever is told of in a copy is not there: they go on where they are. */
export async function forgetProcesses(control: ControlStore): Promise<void> {
  for (const { name } of await control.list(documentPrefix)) await control.remove(name)
}

class Heart {
  readonly id = randomBytes(6).toString('hex')
  readonly #options: AnnounceOptions
  readonly #name: string
  readonly #intervalMs: number
  readonly #now: () => number
  readonly #startedAt: string
  #beats = 0
  #revision = 0
  #away = false
  problem: unknown
  /** Beats follow each other, so that an older one never replaces a newer. */
  #last: Promise<void> = Promise.resolve()

  constructor(options: AnnounceOptions) {
    this.#options = options
    this.#name = documentPrefix + this.id
    this.#intervalMs = options.intervalMs ?? 1_000
    this.#now = options.now ?? Date.now
    this.#startedAt = this.#instant()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.beat()
      if (this.#beats % cleanUpEveryBeats === 1 && !this.#away) await this.#guarded(() => this.#removeAbandoned())
      await rest(this.#intervalMs, signal)
    }
    await this.#last
    // Asked once more, a store that is away would only hold up the end; the beat that stands still says enough.
    if (!this.#away) await this.#guarded(() => this.#options.control.remove(this.#name))
  }

  beat(): Promise<void> {
    this.#last = this.#last.then(() => (this.#options.signal.aborted ? undefined : this.#guarded(() => this.#write())))
    return this.#last
  }

  async #write(): Promise<void> {
    const { control, role, codeVersion, host, pid, figures } = this.#options
    this.#beats += 1
    const document: ProcessDocument = {
      id: this.id,
      role,
      host,
      pid,
      codeVersion,
      startedAt: this.#startedAt,
      beatAt: this.#instant(),
      beat: this.#beats,
      intervalMs: this.#intervalMs,
      ...figures(),
    }
    const text = JSON.stringify(document)
    if (await control.put(this.#name, text, this.#revision)) {
      this.#revision += 1
      return
    }
    // Removed by somebody who took us for dead, or written by a beat whose answer was lost.
    this.#revision = (await control.get(this.#name))?.revision ?? 0
    if (await control.put(this.#name, text, this.#revision)) this.#revision += 1
  }

  async #removeAbandoned(): Promise<void> {
    const { control } = this.#options
    for (const { id, beatAt } of await readPresence(control, this.#now())) {
      if (this.#now() - Date.parse(beatAt) > abandonedAfterMs) await control.remove(documentPrefix + id)
    }
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#away = false
      this.problem = undefined
    } catch (error) {
      this.problem = error
      if (!this.#away) this.#options.logger.warn({ err: error }, 'this process cannot show that it lives, trying again')
      this.#away = true
    }
  }

  #instant(): string {
    return new Date(this.#now()).toISOString()
  }
}

/**
 * Every process that has announced itself. `alive` goes by the age of the last beat, so clocks that differ by more than a
 * few beats mislead it; where it matters, a PresenceWatch tells.
 */
export async function readPresence(control: ControlStore, nowMs: number): Promise<PresentProcess[]> {
  const documents = await control.list(documentPrefix)
  return documents.flatMap(({ text }) => {
    const process = documentOf(text)
    if (process === undefined) return []
    return [{ ...process, alive: nowMs - Date.parse(process.beatAt) <= process.intervalMs * missedBeatsMax }]
  })
}

/** A document of another version of the code may lack what this one needs. */
function documentOf(text: string): ProcessDocument | undefined {
  const parsed = membersOf<ProcessDocument>(text)
  const isWhole = typeof parsed.id === 'string' && typeof parsed.beat === 'number' && !!parsed.beatAt
  return isWhole ? ({ intervalMs: 1_000, ...parsed } as ProcessDocument) : undefined
}

export interface PresenceWatchOptions {
  readonly control: ControlStore
  /** Milliseconds of a monotonic clock of ours. */
  readonly now: () => number
}

/**
 * Judges life by our own clock alone: a process is dead when its beat has not moved for as long as it may miss beats,
 * counted from when we first looked. One seen for the first time counts as alive.
 */
export class PresenceWatch {
  readonly #options: PresenceWatchOptions
  readonly #seen = new Map<string, { readonly beat: number; readonly atMs: number }>()

  constructor(options: PresenceWatchOptions) {
    this.#options = options
  }

  async read(): Promise<PresentProcess[]> {
    const processes = await readPresence(this.#options.control, 0)
    const nowMs = this.#options.now()
    return processes.map((process) => ({ ...process, alive: this.#lives(process, nowMs) }))
  }

  #lives({ id, beat, intervalMs }: ProcessDocument, nowMs: number): boolean {
    const before = this.#seen.get(id)
    if (before !== undefined && before.beat === beat) return nowMs - before.atMs <= intervalMs * missedBeatsMax
    this.#seen.set(id, { beat, atMs: nowMs })
    return true
  }
}
