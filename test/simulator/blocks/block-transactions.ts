import type { Message } from '#src/simulator/codec.ts'
import type { ReadBlockFile } from '#test/simulator/blocks/read-blocks.ts'
import { decode } from '#test/simulator/read-back.ts'

/** A transaction as a consumer of blocks puts it together. */
export interface BlockTransaction {
  readonly signed: Uint8Array
  readonly body: Message
  readonly kind: string
  readonly result: Message
  readonly outputs: Message[]
  readonly traces: Message[]
  /** StateChange messages that carry its time. */
  readonly state: Message[]
  readonly time: bigint
  parent: BlockTransaction | undefined
}

export function nanosOf(time: unknown): bigint {
  const { seconds = 0, nanos = 0 } = time as { seconds?: number; nanos?: number }
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}

/** The transactions of a block in order, those without a result left out. */
export function transactionsOf({ items }: ReadBlockFile): BlockTransaction[] {
  const found: BlockTransaction[] = []
  const byTime = new Map<bigint, BlockTransaction>()
  let inner: Uint8Array[] = []
  for (const [index, { field, content }] of items.entries()) {
    const newest = found.at(-1)
    if (field === 'transactionResult') {
      const before = items[index - 1]!
      const own = before.field === 'signedTransaction' ? (before.content as Uint8Array) : undefined
      const signed = own ?? inner.shift()
      if (!signed) throw new Error(`item ${index} is a result of nothing`)
      const one = transactionOf(signed, content as Message, byTime)
      found.push(one)
      byTime.set(one.time, one)
      const batch = one.body['atomicBatch'] as Message | undefined
      if (batch) inner = [...(batch['transactions'] as Uint8Array[])]
    } else if (field === 'transactionOutput') newest!.outputs.push(content as Message)
    else if (field === 'traceData') newest!.traces.push(content as Message)
    else if (field === 'stateChanges') addState(byTime, content as Message)
  }
  return found
}

function transactionOf(
  signed: Uint8Array,
  result: Message,
  byTime: ReadonlyMap<bigint, BlockTransaction>,
): BlockTransaction {
  const body = decode('proto.TransactionBody', decode('proto.SignedTransaction', signed)['bodyBytes'] as Uint8Array)
  const time = nanosOf(result['consensusTimestamp'])
  const parentTime = result['parentConsensusTimestamp']
  const parent = parentTime === undefined ? undefined : byTime.get(nanosOf(parentTime))
  return { signed, body, kind: String(body['data']), result, outputs: [], traces: [], state: [], time, parent }
}

/** Not those of the end of a round, which carry the time of a transaction as well but concern none of it. */
function addState(byTime: ReadonlyMap<bigint, BlockTransaction>, changes: Message): void {
  const owner = byTime.get(nanosOf(changes['consensusTimestamp'] ?? {}))
  owner?.state.push(...((changes['stateChanges'] ?? []) as Message[]))
}

/** The changes of state that a transaction's facts are among: those of the topmost parent. */
export function topOf(transaction: BlockTransaction): BlockTransaction {
  return transaction.parent ? topOf(transaction.parent) : transaction
}
