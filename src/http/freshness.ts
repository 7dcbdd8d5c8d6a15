import { setTimeout as sleep } from 'node:timers/promises'
import { invalidParameter } from '#queries/common/errors.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type LedgerTime, parseLedgerTime } from '#src/domain/ledger-time.ts'
import type { ModelSet, ModelState } from '#src/runtime/serve/model-set.ts'

const pollMs = 10

/** Names the newest consensus time that an answer reflects. */
export const freshnessHeader = 'Ledger-Consensus-Timestamp'
/** Asks to wait until answers reflect at least this consensus time: `seconds.nanos`. */
export const waitHeader = 'Ledger-Wait-For'

/** The time that the header names; `invalid_parameter` where it names none. */
export function parseWait(header: string): LedgerTime {
  const wanted = parseLedgerTime(header)
  if (wanted === undefined) throw invalidParameter(waitHeader)
  return wanted
}

export interface WaitOptions {
  readonly maxWaitMs: number
  /** Whether the wait is over for other reasons; may throw one. */
  readonly isOver: () => boolean
}

interface Waiter {
  readonly wanted: bigint
  readonly deadline: number
  readonly isOver: () => boolean
  readonly resolve: (state: ModelState) => void
  readonly reject: (error: unknown) => void
}

/** Asks read models where they stand for all requests that wait for a time: however many these are, it is one question. */
export class TimeWatch {
  readonly #waiting = new Map<ModelSet, Set<Waiter>>()

  /**
   * Resolves once all read models have reached the time. `unavailable` when that takes longer than allowed, or when the wait is
   * over for other reasons.
   */
  reached(models: ModelSet, wanted: LedgerTime, { maxWaitMs, isOver }: WaitOptions): Promise<ModelState> {
    const { promise, resolve, reject } = Promise.withResolvers<ModelState>()
    const waiter: Waiter = { wanted, deadline: performance.now() + maxWaitMs, isOver, resolve, reject }
    const waiters = this.#waiting.get(models)
    if (waiters !== undefined) waiters.add(waiter)
    else {
      const first = new Set([waiter])
      this.#waiting.set(models, first)
      void this.#follow(models, first)
    }
    return promise
  }

  async #follow(models: ModelSet, waiters: Set<Waiter>): Promise<void> {
    while (waiters.size > 0) {
      await sleep(pollMs)
      const told = await models.state().catch((error: unknown) => ({ error }))
      for (const waiter of waiters) if (isSettled(waiter, told)) waiters.delete(waiter)
    }
    this.#waiting.delete(models)
  }
}

function isSettled(
  { wanted, deadline, isOver, resolve, reject }: Waiter,
  told: ModelState | { error: unknown },
): boolean {
  try {
    if ('error' in told) throw told.error
    if (told.bound.time >= wanted) {
      resolve(told)
      return true
    }
    if (!isOver() && performance.now() < deadline) return false
    throw new LedgerError('unavailable', 'Service unavailable')
  } catch (error) {
    reject(error)
    return true
  }
}
