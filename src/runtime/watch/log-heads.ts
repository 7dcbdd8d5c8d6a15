import { type ErrorCode, isLedgerError } from '#src/domain/errors.ts'
import type { LogHead, MessageLog } from '#src/ports/message-log.ts'
import { inTime } from '#src/runtime/process/in-time.ts'

/** What is known of the end of a log. */
export interface KnownHead {
  /** As the log last told; undefined while it never did. */
  readonly head: LogHead | undefined
  /** Since it told; null while it never did. */
  readonly ageSeconds: number | null
  /** Why it does not tell now. */
  readonly problem: string | undefined
  /** Which log it is; undefined while it never told. */
  readonly identity: string | undefined
}

export interface LogHeadsOptions {
  readonly openLog: (generation: number) => Promise<MessageLog>
  /** Milliseconds of a clock that only goes forwards. */
  readonly now: () => number
  /** Longest wait for an answer. */
  readonly timeoutMs?: number
}

const goneCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['log_lost', 'log_damaged', 'log_gap'])

const defaultTimeoutMs = 2_000

interface Watched {
  log?: MessageLog
  asking?: Promise<void>
  head?: LogHead
  atMs?: number
  problem?: string
  identity?: string | undefined
}

/** Asks the logs for their heads, whoever may write or read them, and remembers when each last told it. */
export class LogHeads {
  readonly #options: LogHeadsOptions
  readonly #watched = new Map<number, Watched>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: LogHeadsOptions) {
    this.#options = options
  }

  /** Asks the log of a generation. Never rejects: what is known is told with its age. */
  async ask(generation: number): Promise<KnownHead> {
    const watched = this.#watched.get(generation) ?? {}
    this.#watched.set(generation, watched)
    watched.asking ??= this.#askOnce(generation, watched)
    try {
      await inTime(watched.asking, this.#options.timeoutMs ?? defaultTimeoutMs, 'The log')
    } catch (error) {
      watched.problem = messageOf(error)
    }
    return this.known(generation)
  }

  /** As of the last time that it was asked. */
  known(generation: number): KnownHead {
    const { head, atMs, problem, identity } = this.#watched.get(generation) ?? {}
    const ageSeconds = atMs === undefined ? null : Math.round(this.#options.now() - atMs) / 1_000
    return { head, ageSeconds, problem, identity }
  }

  /** Forgets all other generations at once; their logs are closed in the background. */
  keepOnly(generations: ReadonlySet<number>): void {
    for (const [generation, watched] of this.#watched) {
      if (generations.has(generation)) continue
      this.#watched.delete(generation)
      const closing = closeLog(watched).finally(() => this.#closing.delete(closing))
      this.#closing.add(closing)
    }
  }

  /** Waits for logs to be closed as long as for an answer. */
  async close(): Promise<void> {
    this.keepOnly(new Set())
    const all = Promise.all(this.#closing)
    await inTime(all, this.#options.timeoutMs ?? defaultTimeoutMs, 'The log').catch(() => undefined)
  }

  async #askOnce(generation: number, watched: Watched): Promise<void> {
    try {
      watched.log ??= await this.#options.openLog(generation)
      watched.head = await watched.log.head()
      watched.identity ??= await watched.log.identity()
      watched.atMs = this.#options.now()
      delete watched.problem
    } catch (error) {
      watched.problem = messageOf(error)
      // What is lost or damaged does not come back by waiting, so the head that it once had tells nothing any more.
      if (isLedgerError(error) && goneCodes.has(error.code)) {
        delete watched.head
        delete watched.atMs
      }
      // A log that failed is opened anew the next time.
      const { log } = watched
      delete watched.log
      delete watched.identity
      await log?.close().catch(() => undefined)
    } finally {
      delete watched.asking
    }
  }
}

/** What was only read loses nothing when it cannot be closed in order. */
async function closeLog(watched: Watched): Promise<void> {
  await watched.asking
  await watched.log?.close().catch(() => undefined)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
