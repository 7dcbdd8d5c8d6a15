import type { TransactionRecorded } from '#schemas/events/types.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

interface Relative {
  readonly successful: boolean
  /** Only of a batch, which learns of its inner transactions later. */
  readonly batch: TransactionRecorded | undefined
}

/** What relatives ask of each other. */
export interface TransactionHead {
  readonly consensusTimestamp: bigint
  readonly parentConsensusTimestamp: bigint | null
  readonly nonce: number
  readonly type: number
  readonly result: number
  successful: boolean | null
}

interface Kind {
  readonly batch?: TransactionRecorded | undefined
  /** What it did stays when its parent fails. */
  readonly outlivesParent?: boolean
}

/** What the transactions of one block know of each other; a parent comes before its children. */
export class Family {
  readonly #byTime = new Map<bigint, Relative>()

  /**
   * Fills in what follows from earlier transactions of the block: `successful`, which a child has only with its parent
   * unless it makes an account delegate to code, and, in the batch, the id of an inner transaction.
   */
  relate(event: TransactionRecorded): void {
    const batch = event.type === transactionType.atomicBatch ? event : undefined
    const parent = this.succeed(event, { batch, outlivesParent: delegates(event) })
    if (parent?.batch && event.batchKey !== null && event.nonce === 0) addInner(parent.batch, event)
  }

  /** Fills in only `successful`, which is all there is to fill in where no batch is concerned. */
  succeed(head: TransactionHead, { batch, outlivesParent = false }: Kind = {}): Relative | undefined {
    const { parentConsensusTimestamp } = head
    const parent = parentConsensusTimestamp === null ? undefined : this.#byTime.get(parentConsensusTimestamp)
    const successful = isSuccessCode(head.result) && (outlivesParent || parent?.successful !== false)
    head.successful = successful
    this.#byTime.set(head.consensusTimestamp, { successful, batch })
    return parent
  }
}

/**
 * Authorizations of an Ethereum transaction count even when it reverts (EIP-7702, HIP-1340): the network tells them by a child of it that updates
 * or creates the account, and whose own result says whether it did.
 */
function delegates({ cryptoUpdateAccount, cryptoCreateAccount }: TransactionRecorded): boolean {
  const { delegationAddress } = cryptoUpdateAccount ?? cryptoCreateAccount ?? {}
  return delegationAddress !== undefined && delegationAddress.length > 0
}

function addInner(batch: TransactionRecorded, { payerAccountId, validStartTimestamp }: TransactionRecorded): void {
  batch.innerTransactions.push({ payerAccountId, validStartTimestamp })
}
