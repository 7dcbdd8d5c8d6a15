import { type BlockItemBytes, blockItem } from '#src/simulator/blocks/block-item.ts'
import { evmTrace } from '#src/simulator/blocks/evm-trace.ts'
import { messageTrace } from '#src/simulator/blocks/message-trace.ts'
import { transactionOutputs } from '#src/simulator/blocks/transaction-outputs.ts'
import { transactionResult } from '#src/simulator/blocks/transaction-result.ts'
import type { WrittenSlots } from '#src/simulator/blocks/written-slots.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'

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
