import type { PublishedName } from '#src/events/event-types.ts'
import { rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore, RowReader } from '#src/ports/read-store.ts'
import type { AnyOutput } from '#src/runtime/fold/projection.ts'
import { isOutputDamage } from '#src/runtime/outputs/output-log.ts'
import { OutputRows } from '#src/runtime/outputs/output-rows.ts'
import { OutputSession } from '#src/runtime/outputs/output-session.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'

/** What a commit of the fold says to whoever publishes its rows. */
export interface CommittedRows {
  readonly position: Position
  /** Rows of times up to here (ns) are all there, and none will come. */
  readonly through: bigint
}

export interface OutputProgress {
  readonly topic: PublishedName
  /** Appended just now. */
  readonly events: number
  /** Ledger time between what is committed and what is published. */
  readonly lagSeconds: number
}

export interface OutputLimits {
  /** Most rows that are read, and events that are appended, at once. */
  readonly batchEventsMax: number
  readonly retryMinMs: number
  readonly retryMaxMs: number
}

export interface OutputPublisherOptions {
  readonly output: AnyOutput
  /** Of the build whose rows these are. */
  readonly schema: ProjectionSchema
  readonly store: Pick<ReadStore, 'openReader'>
  /** Opens the output for writing; it is closed here. */
  readonly openLog: () => Promise<MessageLog>
  /** Removes the output where that makes it anew; undefined where what keeps it mends it, or asks a person. */
  readonly remove: (() => Promise<void>) | undefined
  /** Whether this build is the one that publishes, as the plan says now. */
  readonly isDue: () => boolean
  readonly limits: OutputLimits
  /** true: another publisher is not waited for. */
  readonly toEnd: boolean
  readonly logger: Logger
  readonly onProgress: (progress: OutputProgress) => void
}

/** So long an append may take that is under way when publishing is to end. */
const stopMsMax = 2_000
/** How often a reader is asked that has not seen the newest commit yet. */
const behindPollMs = 20

/**
 * Publishes rows of a read model behind its commits, beside the fold and never in its way: the rows are the journal, the newest event
 * of the output says where to go on. So each row is published once, whenever this process, or another one before it, ended.
 */
export class OutputPublisher {
  readonly #options: OutputPublisherOptions
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>
  #committed: CommittedRows = { position: 0, through: 0n }
  #published = 0n
  #appends = 0
  #news = Promise.withResolvers<void>()
  #log: MessageLog | undefined
  /** Whether it was removed already, being damaged: what is damaged again needs a person. */
  #remade = false
  #failure: { readonly error: unknown } | undefined
  /** Why nothing is published right now. */
  problem: string | undefined

  constructor(options: OutputPublisherOptions) {
    this.#options = options
    this.#ended = this.#run()
  }

  announce(committed: CommittedRows): void {
    this.#committed = committed
    if (this.#options.isDue()) this.#tell(0)
    this.look()
  }

  /** What is due may have changed. */
  look(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  /** Resolves when all that was announced is published, another build publishes it, or the signal fires; rejects with what it failed of. */
  async drain(signal: AbortSignal): Promise<void> {
    const look = (): void => this.look()
    signal.addEventListener('abort', look, { once: true })
    while (!signal.aborted && this.#options.isDue() && this.#published < this.#committed.through) {
      if (this.#failure !== undefined) throw this.#failure.error
      await this.#news.promise
    }
    signal.removeEventListener('abort', look)
  }

  /** Ends with what is being appended, or without it where that takes long: a new publisher will see what became of it. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.look()
    const late = setTimeout(() => void this.#log?.close(), stopMsMax)
    await this.#ended
    clearTimeout(late)
  }

  async #run(): Promise<void> {
    const { limits, toEnd, logger, output } = this.#options
    try {
      await retryWhileAway(() => this.#attempt(), {
        ...limits,
        signal: this.#stop.signal,
        logger,
        progress: () => this.#appends,
        // Fenced: two processes see a change of the plan at different times.
        alsoWaitFor: toEnd ? [] : ['log_writer_busy', 'log_writer_fenced', 'disk_full', 'data_folder_unusable'],
        onAway: ({ message }) => {
          this.problem = message
        },
      })
    } catch (error) {
      if (this.#stop.signal.aborted) return logger.debug({ err: error }, 'publishing ended with a failure')
      this.problem = error instanceof Error ? error.message : String(error)
      this.#failure = { error }
      logger.error({ err: error, topic: output.topic }, 'an output cannot be published and is set aside')
    }
    this.look()
  }

  async #attempt(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      if (this.#options.isDue()) await this.#publishWhileDue().catch((error: unknown) => this.#remake(error))
      else await this.#news.promise
      this.problem = undefined
    }
  }

  async #publishWhileDue(): Promise<void> {
    const { store, schema, output, openLog, limits, isDue } = this.#options
    const reader = await store.openReader(schema)
    try {
      const rows = new OutputRows(output, schema, reader)
      const log = await openLog()
      this.#log = log
      const session = await OutputSession.open({ log, rows, rowsMax: limits.batchEventsMax })
      try {
        while (isDue() && !this.#stop.signal.aborted) {
          if (this.#published < this.#committed.through) await this.#publish(session, reader)
          else await this.#news.promise
        }
      } finally {
        await session.close()
      }
    } finally {
      this.#log = undefined
      await reader.close()
    }
  }

  /** The rows are the journal: what is not as it was written is no loss, and is written again. */
  async #remake(error: unknown): Promise<void> {
    const { remove, output, logger } = this.#options
    if (remove === undefined || this.#remade || !isOutputDamage(error)) throw error
    const { code, details } = error
    const { topic } = output
    logger.warn({ topic, code, reason: details['reason'] }, 'an output is damaged and is made again from its rows')
    this.#remade = true
    await remove()
    this.#published = 0n
  }

  async #publish(session: OutputSession, reader: RowReader): Promise<void> {
    const { position, through } = this.#committed
    const { signal } = this.#stop
    while (!signal.aborted && ((await reader.checkpoint())?.position ?? 0) < position) await rest(behindPollMs, signal)
    for (let events: number | undefined = 0; events !== undefined && this.#options.isDue() && !signal.aborted; ) {
      events = await session.publish(through)
      this.#appends += 1
      this.problem = undefined
      if (events === undefined) this.#published = through
      this.#tell(events ?? 0)
    }
    this.look()
  }

  #tell(events: number): void {
    const { output, onProgress } = this.#options
    const lagSeconds = Number(this.#committed.through - this.#published) / 1e9
    onProgress({ topic: output.topic, events, lagSeconds })
  }
}
