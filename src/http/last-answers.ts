import { isLedgerError } from '#src/domain/errors.ts'
import type { FinishedAnswer } from '#src/http/finished-answer.ts'

/** More addresses than a page has that anybody watches. */
const addressesMax = 256

/** The last good answer of each address, for the time when nothing can be read: a late answer is worth more than none. */
export class LastAnswers {
  readonly #answers = new Map<string, FinishedAnswer>()

  keep(address: string, answer: FinishedAnswer): void {
    if (answer.status !== 200 || this.#answers.get(address) === answer) return
    this.#answers.delete(address)
    this.#answers.set(address, answer)
    if (this.#answers.size <= addressesMax) return
    for (const oldest of this.#answers.keys()) {
      this.#answers.delete(oldest)
      return
    }
  }

  /** What to answer in place of an error: undefined where the error says more than an old answer would. */
  insteadOf(error: unknown, address: string): FinishedAnswer | undefined {
    const isAway = isLedgerError(error, 'unavailable') || isLedgerError(error, 'store_unavailable')
    return isAway ? this.#answers.get(address) : undefined
  }
}
