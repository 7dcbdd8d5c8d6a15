import { bookSystemTransfers, type SystemBalances } from '#src/simulator/blocks/account-values.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import type { Emitted, TransactionSink } from '#src/simulator/emitted.ts'
import type { Item } from '#src/simulator/record-file.ts'

/** What reaches consensus as the items and sidecar records of a record file. */
export class RecordItems implements TransactionSink {
  readonly items: Item[] = []
  readonly sidecars: Message[] = []
  readonly #balances: SystemBalances | undefined

  /** Keeps the balances up to date for blocks that come later. */
  constructor(balances?: SystemBalances) {
    this.#balances = balances
  }

  add({ submission, time, signed, record }: Emitted): void {
    if (this.#balances) bookSystemTransfers(this.#balances, record['transferList'] as Message)
    this.items.push({
      transaction: encode('proto.Transaction', { signedTransactionBytes: signed }),
      record: encode('proto.TransactionRecord', record),
    })
    for (const sidecar of submission.sidecars ?? []) this.sidecars.push({ consensusTimestamp: time, ...sidecar })
  }

  /** A record file has no order of families. */
  endFamily(): void {}
}
