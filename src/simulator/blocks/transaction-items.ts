import { type BlockItemBytes, blockItem } from '#src/simulator/blocks/block-item.ts'
import { evmTrace } from '#src/simulator/blocks/evm-trace.ts'
import { transactionOutputs } from '#src/simulator/blocks/transaction-outputs.ts'
import type { WrittenSlots } from '#src/simulator/blocks/written-slots.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'

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

export interface FamilyParts {
  readonly family: readonly Emitted[]
  readonly slots: WrittenSlots
  /** StateChange messages. */
  readonly state: readonly Message[]
  /** Tell what code did, besides what it logged. */
  readonly detailed: boolean
}

/**
 * The items of a transaction and of all that belongs to it. What they changed together stands behind the one that the family
 * is named for, with its time.
 */
export function familyItems({ family, slots, state, detailed }: FamilyParts): BlockItemBytes[] {
  return family.flatMap((transaction, index) => [
    ...transactionItems(transaction),
    ...traceItems(transaction, family.slice(index + 1), slots, detailed),
    ...(transaction.role === 'top' ? [stateItem(transaction, state)] : []),
  ])
}

/** A batch has the bytes of its inner transactions in its body, where they need not be twice. */
function transactionItems(transaction: Emitted): BlockItemBytes[] {
  return [
    ...(transaction.role === 'inner' ? [] : [blockItem('signedTransaction', transaction.signed)]),
    blockItem('transactionResult', transactionResult(transaction.record)),
    ...transactionOutputs(transaction).map((output) => blockItem('transactionOutput', output)),
  ]
}

function traceItems(
  transaction: Emitted,
  later: readonly Emitted[],
  slots: WrittenSlots,
  detailed: boolean,
): BlockItemBytes[] {
  const ofCode = evmTrace(transaction, slots, detailed)
  const ofMessage = messageTrace(transaction, later)
  return [
    ...(ofCode ? [{ evmTraceData: ofCode }] : []),
    ...(ofMessage ? [{ submitMessageTraceData: ofMessage }] : []),
  ].map((trace) => blockItem('traceData', trace))
}

function stateItem({ time }: Emitted, stateChanges: readonly Message[]): BlockItemBytes {
  return blockItem('stateChanges', { consensusTimestamp: time, stateChanges })
}

/**
 * The SubmitMessageTraceData of a message that another one to the same topic follows in its family: the change of state has
 * only the number and the running hash of the last.
 */
function messageTrace({ record, submission }: Emitted, later: readonly Emitted[]): Message | undefined {
  const topic = topicOf(submission)
  const { topicSequenceNumber, topicRunningHash } = record['receipt'] as Message
  if (topic === undefined || topicSequenceNumber === undefined) return undefined
  if (!later.some((each) => topicOf(each.submission) === topic && isCounted(each))) return undefined
  return { sequenceNumber: topicSequenceNumber, runningHash: topicRunningHash }
}

function topicOf({ body }: Emitted['submission']): unknown {
  const { topicID } = (body['consensusSubmitMessage'] ?? {}) as Message
  return (topicID as Message | undefined)?.['topicNum']
}

function isCounted({ record }: Emitted): boolean {
  return (record['receipt'] as Message)['topicSequenceNumber'] !== undefined
}

/** What a block says of every transaction that a record says. */
function transactionResult(record: Message): Message {
  const shared = sharedFields.flatMap(([ofRecord, ofResult]) =>
    record[ofRecord] === undefined ? [] : [[ofResult, record[ofRecord]]],
  )
  return { status: (record['receipt'] as Message)['status'], ...Object.fromEntries(shared) }
}
