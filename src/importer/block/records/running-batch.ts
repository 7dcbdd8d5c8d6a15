import type { Fail } from '#src/domain/field-reader.ts'
import { fieldValues } from '#src/importer/block/records/field-values.ts'
import { readSignedBody, type SignedBody } from '#src/importer/block/records/signed-body.ts'
import { payerAndStart, readTransactionId } from '#src/importer/block/records/transaction-id.ts'
import type { TransactionResult } from '#src/importer/block/records/transaction-result.ts'

/**
 * A batch whose inner transactions run one after the other. Their bytes stand in its body, so that nothing but what a result says tells
 * whether it is that of the next inner transaction or of the one whose item stands before it; both name the batch as their parent.
 */
export class RunningBatch {
  readonly #time: bigint
  readonly #fail: Fail
  /** Signed bytes; what never comes was not executed. */
  readonly #waiting: Buffer[]
  #hasBegun = false
  readonly #own: string | undefined

  constructor({ content, transactionId }: SignedBody, { time }: TransactionResult, fail: Fail) {
    this.#time = time
    this.#fail = fail
    this.#waiting = fieldValues(content, 1, fail)
    this.#own = payerAndStart(transactionId, fail)
  }

  /** Signed bytes of the inner transaction whose result this is, which follows no transaction of its own. */
  take({ parentTime }: TransactionResult): Buffer {
    const bytes = this.#waiting.shift()
    if (bytes === undefined) throw this.#fail('a result follows no transaction')
    if (parentTime !== this.#time) throw this.#fail('a result of no batch stands where one in a batch has its own')
    this.#hasBegun = true
    return bytes
  }

  /**
   * Whether a result can be that of a transaction with an item of its own. One that names the batch as its parent can where the network
   * has made that transaction for the inner one that comes next, before it, or where both say that it was scheduled.
   */
  assertOwn({ transactionId }: SignedBody, { parentTime, scheduleRef }: TransactionResult): void {
    if (parentTime !== this.#time) return
    const made = payerAndStart(transactionId, this.#fail)
    const { nonce, scheduled } = readTransactionId(transactionId, this.#fail)
    if (scheduled && scheduleRef) return
    const isMade = made !== undefined && nonce !== 0
    if (isMade && (made === this.#nextOwner || (!this.#hasBegun && made === this.#own))) return
    throw this.#fail('a result of a batch stands where it is that of a transaction outside of it')
  }

  get #nextOwner(): string | undefined {
    const [next] = this.#waiting
    return next && payerAndStart(readSignedBody(next, this.#fail).transactionId, this.#fail)
  }
}
