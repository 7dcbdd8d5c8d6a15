import type { Message } from '#src/simulator/codec.ts'

/** Fields of a TransactionRecord that a TransactionResult has as well, by their names in both. */
const sharedFields: readonly (readonly [ofRecord: string, ofResult: string])[] = [
  ['consensusTimestamp', 'consensusTimestamp'],
  ['parentConsensusTimestamp', 'parentConsensusTimestamp'],
  ['scheduleRef', 'scheduleRef'],
  ['transactionFee', 'transactionFeeCharged'],
  ['transferList', 'transferList'],
  ['tokenTransferLists', 'tokenTransferLists'],
  ['automaticTokenAssociations', 'automaticTokenAssociations'],
  ['paidStakingRewards', 'paidStakingRewards'],
  ['assessedCustomFees', 'assessedCustomFees'],
  ['highVolumePricingMultiplier', 'highVolumePricingMultiplier'],
]

/** What a block says of every transaction that a record says. */
export function transactionResult(record: Message): Message {
  const shared = sharedFields.flatMap(([ofRecord, ofResult]) =>
    record[ofRecord] === undefined ? [] : [[ofResult, record[ofRecord]]],
  )
  return { status: (record['receipt'] as Message)['status'], ...Object.fromEntries(shared) }
}
