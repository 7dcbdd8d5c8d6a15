import { isLedgerError } from '#src/domain/errors.ts'
import type { CopyName } from '#src/events/event-types.ts'
import { rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { LogBatch, MessageLog, Position } from '#src/ports/message-log.ts'
import { CopySession } from '#src/runtime/copies/copy-session.ts'
import { isOutputDamage } from '#src/runtime/outputs/output-log.ts'
import type { OutputProgress } from '#src/runtime/outputs/output-publisher.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'

export interface CopyOptions {
  readonly topics: readonly CopyName[]
  /** Opens the ledger's log for reading; it is closed here, as the topics are. */
  readonly openSource: () => Promise<MessageLog>
  readonly openTopic: (topic: CopyName) => Promise<MessageLog>
  /** Removes a topic where that makes it anew; undefined where what keeps it mends it, or asks a person. */
  readonly removeTopic: ((topic: CopyName) => Promise<void>) | undefined
  /** Most events that are read, and appended, at once. */
  readonly eventsMax: number
  readonly bytesMax: number
  readonly retryMinMs: number
  readonly retryMaxMs: number
  /** So long another process that took the right to write is left alone: at once it would only be fenced in turn, and neither would get on. */
  readonly fencedRestMs: number
  readonly logger: Logger
  /** Stop at once. */
  readonly signal: AbortSignal
  /** Go on to the end of the log, then end. */
  readonly finish: AbortSignal
  readonly onProgress: (progress: OutputProgress) => void
}

/**
 * Copies subjects of the ledger's log to topics of their own, each event once and in the order of the log: a copy is where its
 * origin is, so the newest one tells where to go on, whenever this process, or another one before it, ended. What is away is
 * waited for; what cannot be mended is told and set aside. Never rejects: the log does not wait for its copies.
 */
export async function copyTopics(options: CopyOptions): Promise<void> {
  const { topics, signal, logger, retryMinMs, retryMaxMs } = options
  const copying = new Copying(options)
  try {
    await retryWhileAway(() => copying.attempt(), {
      signal,
      logger,
      retryMinMs,
      retryMaxMs,
      progress: () => copying.appends,
      alsoWaitFor: ['log_writer_busy', 'disk_full', 'data_folder_unusable'],
    })
  } catch (error) {
    if (signal.aborted) logger.debug({ err: error }, 'copying ended with a failure')
    else logger.error({ err: error, topics }, 'copies of the log cannot be published and are set aside')
  }
}

class Copying {
  readonly #options: CopyOptions
  /** Topics that were removed already, being damaged: what is damaged again needs a person. */
  readonly #remade = new Set<CopyName>()
  appends = 0

  constructor(options: CopyOptions) {
    this.#options = options
  }

  async attempt(): Promise<void> {
    for (let again = true; again && !this.#options.signal.aborted; ) {
      again = false
      try {
        await this.#copy()
      } catch (error) {
        await this.#mend(error)
        again = true
      }
    }
  }

  async #copy(): Promise<void> {
    const { topics, openSource, openTopic } = this.#options
    const source = await openSource()
    const sessions: CopySession[] = []
    try {
      for (const topic of topics) sessions.push(await CopySession.open({ topic, log: await openTopic(topic), source }))
      await this.#follow(source, sessions)
    } finally {
      await Promise.all(sessions.map((session) => session.close()))
      await source.close()
    }
  }

  /** One reader for all topics. */
  async #follow(source: MessageLog, sessions: readonly CopySession[]): Promise<void> {
    const { eventsMax: countMax, bytesMax, signal, finish } = this.#options
    let after: Position = Math.min(...sessions.map(({ position }) => position))
    const read = async (follow: boolean, until: AbortSignal): Promise<void> => {
      for await (const batch of source.read({ after, countMax, bytesMax, follow, signal: until })) {
        await this.#take(batch, sessions, source)
        after = batch.records.at(-1)?.sequence ?? after
      }
    }
    if (!finish.aborted) await read(true, AbortSignal.any([signal, finish]))
    if (!signal.aborted) await read(false, signal)
  }

  async #take({ records, head }: LogBatch, sessions: readonly CopySession[], source: MessageLog): Promise<void> {
    const last = records.at(-1)
    if (last === undefined) return
    const end = last.sequence < head ? (await source.head()).time : last.time
    const lagSeconds = Number((end ?? last.time) - last.time) / 1e9
    for (const session of sessions) {
      const events = await session.take(records)
      this.appends += 1
      this.#options.onProgress({ topic: session.topic, events, lagSeconds })
    }
  }

  /** What can be gone on from; whatever else is thrown again. */
  async #mend(error: unknown): Promise<void> {
    if (!isLedgerError(error, 'log_writer_fenced')) return this.#remake(error)
    const { fencedRestMs, signal, logger } = this.#options
    logger.warn({ reason: error.message }, 'another process copies the log; this one looks again later')
    await rest(fencedRestMs, signal)
  }

  /** The ledger's log is the journal: what is not as it was written is no loss, and is written again. */
  async #remake(error: unknown): Promise<void> {
    const { topics, removeTopic, logger } = this.#options
    if (removeTopic === undefined || !isOutputDamage(error)) throw error
    const topic = topics.find((each) => each === error.details['topic'])
    if (topic === undefined || this.#remade.has(topic)) throw error
    logger.warn(
      { topic, code: error.code, reason: error.details['reason'] },
      'a copy of the log is damaged and is made again',
    )
    this.#remade.add(topic)
    await removeTopic(topic)
  }
}
