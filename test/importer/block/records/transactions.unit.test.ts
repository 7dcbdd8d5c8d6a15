import { describe, expect, it } from 'vitest'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import type { Message } from '#src/simulator/codec.ts'
import {
  executed,
  hash48,
  nanosAt,
  nonceOf,
  reasonOf,
  signed,
  stateChanges,
  transactionsOf,
} from '#test/importer/block/made-blocks.ts'

const transfer = { cryptoTransfer: {} }
const failed = { result: { status: 28 } }

/** Each with the consensus time of its parent, in nanoseconds of the tests' second. */
function families(items: readonly Message[]) {
  return transactionsOf(items).transactions.map(({ result, parent }) => [
    Number(result.time - nanosAt(0)),
    parent && Number(parent.result.time - nanosAt(0)),
  ])
}

function types({ transactions }: { readonly transactions: readonly BlockTransaction[] }): number[] {
  return transactions.map(({ body }) => body.type)
}

describe('transactions of a block', () => {
  it('have the result that follows them, and what stands behind it, in any order', () => {
    const [first, second] = transactionsOf([
      ...executed(1, { consensusSubmitMessage: {} }, { memo: 'first' }),
      { traceData: { submitMessageTraceData: { sequenceNumber: 5 } } },
      stateChanges(1, []),
      { transactionOutput: { utilPrng: { prngNumber: 1 } } },
      { transactionOutput: { utilPrng: { prngNumber: 2 } } },
      ...executed(2, { utilPrng: {} }, { ...failed, memo: 'second' }),
    ]).transactions
    expect(first).toMatchObject({ parent: undefined, successful: true, isInner: false })
    expect([first?.outputs.length, first?.traces.length]).toEqual([2, 1])
    expect([first?.body.type, first?.body.memo.toString()]).toEqual([27, 'first'])
    expect([second?.outputs.length, second?.traces.length, second?.successful]).toEqual([0, 0, false])
    expect([second?.body.type, second?.result.status]).toEqual([52, 28])
  })

  it('do not count where nodes tell each other something, and it was not executed', () => {
    const votes = ['stateSignatureTransaction', 'hintsPartialSignature', 'crsPublication', 'migrationRootHashVote']
    const items = votes.map((vote) => ({ signedTransaction: signed({ [vote]: {} }) }))
    expect(types(transactionsOf([...items, ...executed(1, transfer), ...items]))).toEqual([14])
    expect(types(transactionsOf(executed(1, { hintsPartialSignature: {} })))).toEqual([68])
  })

  it('that have no result are refused otherwise, wherever they stand', () => {
    const lost = { signedTransaction: signed(transfer) }
    const reason = 'a transaction of the type 14 has no result'
    expect(reasonOf(() => transactionsOf([lost]))).toBe(reason)
    expect(reasonOf(() => transactionsOf([lost, ...executed(1, transfer)]))).toBe(reason)
    expect(reasonOf(() => transactionsOf([lost, stateChanges(1, [])]))).toBe(reason)
  })

  it('are refused where a result, an output or a trace belongs to none', () => {
    const [, result] = executed(1, transfer)
    expect(reasonOf(() => transactionsOf([result!]))).toBe('a result follows no transaction')
    expect(reasonOf(() => transactionsOf([...executed(1, transfer), result!]))).toBe('a result follows no transaction')
    const vote = { signedTransaction: signed({ stateSignatureTransaction: {} }) }
    const output = { transactionOutput: { utilPrng: { prngNumber: 1 } } }
    const trace = { traceData: { submitMessageTraceData: { sequenceNumber: 1 } } }
    expect(reasonOf(() => transactionsOf([output]))).toBe('an output stands where no transaction has a result')
    expect(reasonOf(() => transactionsOf([...executed(1, transfer), vote, output]))).toBe(
      'an output stands where no transaction has a result',
    )
    expect(reasonOf(() => transactionsOf([...executed(1, transfer), vote, trace]))).toBe(
      'a trace stands where no transaction has a result',
    )
  })

  it('are refused where a trace can only be that of another transaction', () => {
    const [code, message] = [{ evmTraceData: {} }, { submitMessageTraceData: { sequenceNumber: 1 } }]
    const call = { contractCall: { evmTransactionResult: {} } }
    const reasonWith = (body: Message, traces: Message[], outputs: Message[] = []) =>
      reasonOf(() => transactionsOf(executed(1, body, { traces, outputs })))
    const submit = { consensusSubmitMessage: {} }
    const reason = `the transaction at ${nanosAt(1)} ns has traces of another one`
    expect(reasonWith(transfer, [code])).toBe(reason)
    expect(reasonWith(transfer, [message], [call])).toBe(reason)
    expect(reasonWith(transfer, [code, code], [call])).toBe(reason)
    expect(reasonWith(submit, [message, message])).toBe(reason)
    expect(reasonWith(submit, [code])).toBe(reason)
    expect(transactionsOf(executed(1, submit, { traces: [message, code], outputs: [call] })).transactions).toHaveLength(
      1,
    )
  })

  it('are refused where a result has no time, or the transaction is none', () => {
    expect(reasonOf(() => transactionsOf([{ signedTransaction: signed(transfer) }, { transactionResult: {} }]))).toBe(
      'a result of a transaction has no consensus time',
    )
    const result = executed(1, transfer)[1]!
    const bodyOfNothing = Buffer.from('0a01ff', 'hex')
    for (const signedTransaction of [Buffer.of(0xff), bodyOfNothing])
      expect(reasonOf(() => transactionsOf([{ signedTransaction }, result]))).toMatch(/ends within a number/)
  })

  it('know the changes of state by the time that they carry', () => {
    const { stateChanges: changes } = transactionsOf([
      stateChanges(9, []),
      ...executed(1, transfer, { state: [] }),
      stateChanges(1, []),
      stateChanges(9, []),
    ])
    expect([...changes].map(([time, items]) => [time - nanosAt(0), items.length])).toEqual([
      [9n, 2],
      [1n, 2],
    ])
  })

  it('tell whether the network made them of a body and signatures side by side', () => {
    const [old, recent] = transactionsOf([
      ...executed(1, transfer, { wasUnsigned: true }),
      ...executed(2, transfer),
    ]).transactions
    expect([old?.body.wasUnsigned, recent?.body.wasUnsigned]).toEqual([true, false])
  })
})

describe('families of transactions', () => {
  it('go by the time of the parent, however many came in between', () => {
    expect(
      families([
        ...executed(1, transfer),
        ...executed(2, transfer, { parent: 1 }),
        ...executed(3, transfer, { parent: 2 }),
        ...executed(4, transfer, nonceOf(3)),
        ...executed(5, transfer, { parent: 1 }),
        ...executed(6, transfer),
        ...executed(7, transfer, { parent: 6 }),
      ]),
    ).toEqual([
      [1, undefined],
      [2, 1],
      [3, 2],
      [4, undefined],
      [5, 1],
      [6, undefined],
      [7, 6],
    ])
  })

  it('have a parent of another block for none', () => {
    expect(families(executed(2, transfer, { parent: 1 }))).toEqual([[2, undefined]])
  })

  it('fail with their parent, whatever their own result says', () => {
    const { transactions } = transactionsOf([
      ...executed(1, transfer, failed),
      ...executed(2, transfer, { parent: 1 }),
      ...executed(3, transfer, { parent: 2 }),
      ...executed(4, transfer, { result: { status: 104 } }),
      ...executed(5, transfer, { result: { status: 220 }, parent: 4 }),
    ])
    expect(transactions.map(({ successful }) => successful)).toEqual([false, false, false, true, true])
  })
})

describe('transactions of a batch', () => {
  const inner = [{ fileCreate: {} }, { fileDelete: {} }, { fileAppend: {} }]
  const batch = { atomicBatch: { transactions: inner.map((body) => signed(body)) } }
  const innerAt = (time: number, more = {}) => executed(time, {}, { isInner: true, parent: 1, ...more })

  it('take the results one after the other, past children that have items of their own', () => {
    const { transactions } = transactionsOf([
      ...executed(1, batch),
      ...executed(2, { cryptoCreateAccount: {} }, { parent: 1, ...nonceOf(1) }),
      ...innerAt(3),
      ...executed(4, transfer, { parent: 3, ...nonceOf(2) }),
      ...innerAt(5),
      ...innerAt(6),
      ...executed(7, transfer),
    ])
    expect(types({ transactions })).toEqual([74, 11, 17, 14, 18, 16, 14])
    expect(transactions.map(({ isInner }) => isInner)).toEqual([false, false, true, false, true, true, false])
    expect(transactions.map(({ parent }) => parent?.body.type)).toEqual([undefined, 74, 74, 17, 74, 74, undefined])
  })

  it('that were not executed are not there, and no later result becomes theirs', () => {
    const items = [...executed(1, batch, failed), ...innerAt(2, failed)]
    expect(types(transactionsOf([...items, ...executed(3, transfer)]))).toEqual([74, 17, 14])
    const [, stray] = executed(4, transfer)
    expect(reasonOf(() => transactionsOf([...items, ...executed(3, transfer), stray!]))).toBe(
      'a result follows no transaction',
    )
  })

  it('go on behind one that was scheduled, as both its id and its result say', () => {
    const scheduled = (id: Message, result: Message) => [
      ...executed(1, batch),
      ...innerAt(2),
      ...executed(3, transfer, { id, result, parent: 1 }),
      ...innerAt(4),
    ]
    const [id, result] = [{ scheduled: true }, { scheduleRef: { scheduleNum: 5 } }]
    expect(types(transactionsOf(scheduled(id, result)))).toEqual([74, 17, 14, 18])
    const reason = 'a result of a batch stands where it is that of a transaction outside of it'
    expect(reasonOf(() => transactionsOf(scheduled(id, {})))).toBe(reason)
    expect(reasonOf(() => transactionsOf(scheduled({}, result)))).toBe(reason)
  })

  it('go on behind what the network puts before one of them, which names no parent', () => {
    const items = [...executed(1, batch), ...innerAt(2), ...executed(3, transfer, nonceOf(1)), ...innerAt(4)]
    expect(types(transactionsOf(items))).toEqual([74, 17, 14, 18])
  })
})

describe('redacted items', () => {
  const redacted = (tree: number, signedTransactionHash = hash48(8)): Message => ({
    redactedItem: { itemHash: hash48(9), signedTransactionHash, tree },
  })

  it('of the tree of transactions are transactions of which only the result tells', () => {
    const result = executed(1, transfer)[1]!
    const { transactions, redactedCount } = transactionsOf([redacted(5), result])
    expect(transactions).toHaveLength(1)
    expect(transactions[0]).toMatchObject({ signed: undefined, redactedHash: hash48(8), body: { type: 0 } })
    expect(redactedCount).toBe(0)
    expect(reasonOf(() => transactionsOf([redacted(5)]))).toBe(
      'a transaction of the type that was redacted has no result',
    )
  })

  it('of other trees are counted, and no result takes one of them for its transaction', () => {
    const items = executed(1, transfer)
    const { transactions, redactedCount } = transactionsOf([
      ...items,
      redacted(6),
      redacted(8),
      ...executed(2, transfer),
    ])
    expect([transactions.length, redactedCount]).toEqual([2, 2])
    expect(reasonOf(() => transactionsOf([redacted(7), items[1]!]))).toBe('a result follows no transaction')
  })
})
