import type { ContractFunctionResult, TransactionRecorded } from '#schemas/events/types.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

const bloomLength = 256

/** Gas and log filter of a block: those of its top-level transactions, whose results contain their children's. */
export class BlockTotals {
  gasUsed = 0n
  /** 256 bytes; empty when no result has a log. */
  logsBloom: Buffer = Buffer.alloc(0)

  add(event: TransactionRecorded): void {
    const result = contractResult(event)
    if (!result || !isTopLevel(event)) return
    this.gasUsed = BigInt.asIntN(64, this.gasUsed + result.gasUsed)
    this.logsBloom = unite(this.logsBloom, result.bloom)
  }
}

function contractResult({ record }: TransactionRecorded): ContractFunctionResult | null {
  return record?.contractCreateResult ?? record?.contractCallResult ?? null
}

/** The account that updates system files at an upgrade. */
const systemUpdater = entityIdOf(0n, 0n, 50n)!

function isTopLevel(event: TransactionRecorded): boolean {
  if (event.nonce === 0 || event.transactionIdScheduled || event.parentConsensusTimestamp === null) return true
  return event.type === transactionType.fileUpdate && (event.payerAccountId & 0x3fffffffffn) === systemUpdater
}

function unite(union: Buffer, bloom: Buffer): Buffer {
  if (bloom.length !== bloomLength || bloom.every((byte) => byte === 0)) return union
  if (union.length === 0) return Buffer.from(bloom)
  for (let index = 0; index < bloomLength; index++) union[index]! |= bloom[index]!
  return union
}
