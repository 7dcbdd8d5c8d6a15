import { isLedgerError } from '#src/domain/errors.ts'
import type { FinishedAnswer } from '#src/http/finished-answer.ts'

/** More addresses than a page has that anybody watches. */
const addressesMax = 256
const defaultBytesMax = 8 << 20

/**
 * The last good answer of each address, for the time when nothing can be read: a late answer is worth more than none. One for
 * all routes of a thread; what was asked longest ago is forgotten first.
 */
export class LastAnswers {
  readonly #bytesMax: number
  readonly #answers = new Map<string, FinishedAnswer>()
  #bytes = 0

  constructor(bytesMax = defaultBytesMax) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  keep(address: string, answer: FinishedAnswer): void {
    if (answer.status !== 200 || this.#answers.get(address) === answer) return
    this.#remove(address)
    this.#answers.set(address, answer)
    this.#bytes += bytesOf(address, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#bytesMax && this.#answers.size <= addressesMax) return
      this.#remove(oldest)
    }
  }

  /** What to answer in place of an error: undefined where the error says more than an old answer would. */
  insteadOf(error: unknown, address: string): FinishedAnswer | undefined {
    const isAway = isLedgerError(error, 'unavailable') || isLedgerError(error, 'store_unavailable')
    return isAway ? this.#answers.get(address) : undefined
  }

  #remove(address: string): void {
    const known = this.#answers.get(address)
    if (known === undefined) return
    this.#answers.delete(address)
    this.#bytes -= bytesOf(address, known)
  }
}

/** At most: a text of which a character takes two bytes. */
function bytesOf(address: string, { body }: FinishedAnswer): number {
  return 2 * (address.length + body.length)
}
