import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import { inTime } from '#src/runtime/process/in-time.ts'

export interface StoreAbsenceOptions {
  /** Asks the store for the little that each request needs first. */
  readonly ask: () => Promise<unknown>
  readonly logger: Logger
  /** How often it is asked until it is back. */
  readonly pollMs?: number | undefined
  /** An answer that has not come by then is no longer waited for, and the log says so. */
  readonly answerMaxMs?: number | undefined
}

/** A store that takes longer to say where it stands counts as away. */
const presentMaxMs = 500

/**
 * Requests are refused at once while the store is away, rather than each of them waiting for it. One request may have asked
 * too much of a store that answers all others, so it is asked for the little that each of them needs first.
 */
export class StoreAbsence {
  readonly #options: StoreAbsenceOptions
  #error: LedgerError | undefined
  /** Whether it is away, while that is found out. */
  #asking: Promise<boolean> | undefined
  #closed = false

  constructor(options: StoreAbsenceOptions) {
    this.#options = options
  }

  /** What requests are refused with; undefined while the store answers. */
  get error(): LedgerError | undefined {
    return this.#error
  }

  /** A request has failed of the store: finds out whether all others will, and refuses them until it answers. */
  async find(error: LedgerError): Promise<void> {
    if (this.#error !== undefined || this.#closed) return
    this.#asking ??= this.#isAway().finally(() => {
      this.#asking = undefined
    })
    if (!(await this.#asking) || this.#error !== undefined || this.#closed) return
    this.#error = error
    this.#options.logger.warn({ code: error.code, reason: error.message }, 'read store is away, refusing requests')
    void this.#untilBack()
  }

  /** Asks no more. */
  close(): void {
    this.#closed = true
  }

  async #isAway(): Promise<boolean> {
    try {
      await inTime(this.#options.ask(), presentMaxMs, 'The read store')
      return false
    } catch {
      // Why the request failed says more.
      return true
    }
  }

  async #untilBack(): Promise<void> {
    const { ask, logger, pollMs = 250, answerMaxMs = 10_000 } = this.#options
    let said: string | undefined
    while (!this.#closed) {
      try {
        await inTime(ask(), answerMaxMs, 'The read store')
        this.#error = undefined
        logger.info({}, 'read store answers, serving requests')
        return
      } catch (error) {
        const { message: reason } = error as Error
        if (reason !== said) logger.warn({ reason }, 'read store is still away')
        said = reason
      }
      await sleep(pollMs, undefined, { ref: false })
    }
  }
}
