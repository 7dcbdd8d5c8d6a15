import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { executed, hash48, put, reasonOf, signed, toldBy } from '#test/importer/block/made-blocks.ts'

const message = (topicNum: number) => ({ consensusSubmitMessage: { topicID: { topicNum }, message: Buffer.of(1) } })
const topic = (topicNum: number, sequenceNumber: number, hashByte: number) =>
  put(
    21,
    { topicIdKey: { topicNum } },
    { topicValue: { topicId: { topicNum }, sequenceNumber, runningHash: hash48(hashByte) } },
  )
const trace = (sequenceNumber: number, hashByte: number) => ({
  submitMessageTraceData: { sequenceNumber, runningHash: hash48(hashByte) },
})
const told = (sequence: number, hashByte: number) => ({
  status: 22,
  topicSequenceNumber: sequence,
  topicRunningHash: hash48(hashByte),
  topicRunningHashVersion: 3,
})

/** Messages of a batch: the number of the topic, and a trace. */
function batch(state: Message[], ...inner: readonly (readonly [topic: number, trace?: Message])[]) {
  const transactions = inner.map(([topicNum]) => signed(message(topicNum)))
  const { records, warnings } = toldBy([
    ...executed(1, { atomicBatch: { transactions } }, { state }),
    ...inner.flatMap(([, traced], index) =>
      executed(2 + index, {}, { isInner: true, parent: 1, traces: traced ? [traced] : [] }),
    ),
  ])
  return { receipts: records.slice(1).map(({ receipt }) => receipt), warnings }
}

describe('a message', () => {
  it('has number and running hash that the state of its topic has', () => {
    const state = [topic(30, 9, 9), topic(31, 4, 4)]
    expect(toldBy(executed(1, message(31), { state })).records[0]!.receipt).toEqual(told(4, 4))
    const failed = executed(1, message(31), { state, result: { status: 7 } })
    expect(toldBy(failed).records[0]!.receipt).toEqual({ status: 7 })
  })

  it('of several has what its trace says, and the last one what the state says', () => {
    const state = [topic(30, 3, 3), topic(31, 8, 8)]
    expect(batch(state, [30, trace(1, 1)], [31], [30, trace(2, 2)], [30])).toEqual({
      receipts: [told(1, 1), told(8, 8), told(2, 2), told(3, 3)],
      warnings: [],
    })
  })

  it('has not what the state says of a later one, nor that of another message of its topic', () => {
    const reason = 'the message at 1700000000000000003 ns does not have the number behind that of the one before it'
    const refused = (first: Message | undefined, last: Message | undefined) =>
      reasonOf(() => batch([topic(30, 2, 2)], first ? [30, first] : [30], last ? [30, last] : [30]))
    expect(refused(undefined, undefined)).toBe(reason)
    expect(refused(undefined, trace(2, 2))).toBe(reason)
    expect(refused(trace(2, 2), trace(1, 1))).toBe(reason)
    expect(refused(trace(1, 1), trace(3, 3))).toBe(reason)
  })

  it('of a topic without messages says nothing', () => {
    const { records, warnings } = toldBy(executed(1, message(30), { state: [topic(30, 0, 0)] }))
    expect([records[0]!.receipt, warnings.length]).toEqual([{ status: 22 }, 1])
  })
})
