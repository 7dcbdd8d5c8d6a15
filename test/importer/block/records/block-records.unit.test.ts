import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { blockRecords } from '#src/importer/block/records/block-records.ts'
import { nothingKnown } from '#src/importer/block/records/known-facts.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import {
  accountId,
  at,
  type Execution,
  executed,
  fail,
  hash48,
  nonceOf,
  put,
  receiptsOf,
  recordOf,
  signed,
  tokenId,
  toldBy,
  transactionsOf,
} from '#test/importer/block/made-blocks.ts'

const transfer = { cryptoTransfer: {} }
const rates = (centEquiv: number): Message => ({ currentRate: { hbarEquiv: 1, centEquiv } })
const ratesBytes = (centEquiv: number) => Buffer.from(encode('proto.ExchangeRateSet', rates(centEquiv)))
const ratesOf = (items: readonly Message[], exchangeRates?: Buffer) =>
  receiptsOf(items, { exchangeRates }).map(({ exchangeRate }) => exchangeRate)

describe('the record of a transaction', () => {
  it('repeats what its result says, and memo and id of its body', () => {
    const amounts = { accountAmounts: [{ accountID: accountId(2), amount: -5 }] }
    const lists = [
      { token: tokenId(9), transfers: [{ accountID: accountId(2), amount: 1 }] },
      { token: tokenId(10), transfers: [{ accountID: accountId(3), amount: 2 }] },
    ]
    const said = {
      transferList: amounts,
      tokenTransferLists: lists,
      automaticTokenAssociations: [{ tokenId: tokenId(9), accountId: accountId(2) }],
      paidStakingRewards: [{ accountID: accountId(800), amount: 7 }],
      assessedCustomFees: [{ amount: 3, feeCollectorAccountId: accountId(98) }],
      highVolumePricingMultiplier: 4_000,
    }
    const result = { ...said, transactionFeeCharged: 83, congestionPricingMultiplier: 2 }
    const items = executed(5, transfer, { memo: 'lunch', ...nonceOf(0), result })
    const { receipt, transactionHash, ...rest } = recordOf(items).record
    expect(receipt).toEqual({ status: 22 })
    expect(transactionHash).toEqual(hash('sha384', items[0]!['signedTransaction'] as Buffer, 'buffer'))
    expect(rest).toEqual({
      ...said,
      consensusTimestamp: at(5),
      transactionID: {
        accountID: { ...accountId(1_001), account: 'accountNum' },
        transactionValidStart: at(1),
        nonce: 0,
      },
      memo: 'lunch',
      transactionFee: 83,
      transferList: { accountAmounts: [{ accountID: { ...accountId(2), account: 'accountNum' }, amount: -5 }] },
      tokenTransferLists: expect.anything(),
      automaticTokenAssociations: expect.anything(),
      paidStakingRewards: expect.anything(),
      assessedCustomFees: expect.anything(),
    })
    const [item] = blockRecords(transactionsOf(items), nothingKnown, fail).items
    expect(item?.congestionMultiplier).toBe(2n)
  })

  it('stands behind those with an earlier consensus time, wherever the block has it', () => {
    const items = [...executed(9, transfer, { memo: 'later' }), ...executed(8, transfer, { memo: 'earlier' })]
    expect(toldBy(items).records.map(({ record }) => record['memo'])).toEqual(['earlier', 'later'])
  })

  it('has the hash of the signed bytes, or of the older form that the network made them of', () => {
    const signatures = { sigPair: [{ pubKeyPrefix: Buffer.of(1), ed25519: Buffer.of(2) }] }
    const items = executed(1, transfer, { wasUnsigned: true, signatures })
    const { record, transaction } = recordOf(items)
    const { bodyBytes, sigMap } = transaction
    expect(transaction).toEqual({
      sigMap: { sigPair: [{ ...signatures.sigPair[0], signature: 'ed25519' }] },
      bodyBytes,
    })
    const old = encode('proto.Transaction', { bodyBytes, sigMap })
    expect(record['transactionHash']).toEqual(hash('sha384', old, 'buffer'))
    expect(recordOf(executed(1, transfer)).transaction).toEqual({ signedTransactionBytes: signed(transfer) })
  })

  it('has the hash that a redacted transaction had, and says that other redacted items are gone', () => {
    const result = executed(1, transfer)[1]!
    const redacted = (tree: number) => ({
      redactedItem: { itemHash: hash48(1), signedTransactionHash: hash48(2), tree },
    })
    const { records, warnings } = toldBy([redacted(5), result, redacted(6)])
    expect(records.map(({ record }) => record['transactionHash'])).toEqual([hash48(2)])
    expect(warnings).toEqual(['1 items of it were redacted, and nothing tells what they said'])
  })

  it('names its parent, but that of a scheduled transaction stands by itself', () => {
    const scheduled: Execution = { id: { scheduled: true }, result: { scheduleRef: { scheduleNum: 5 } }, parent: 1 }
    const { records } = toldBy([
      ...executed(1, { scheduleSign: {} }),
      ...executed(2, transfer, scheduled),
      ...executed(3, transfer, { parent: 1, ...nonceOf(1) }),
    ])
    expect(records.map(({ record }) => record['parentConsensusTimestamp'])).toEqual([undefined, undefined, at(1)])
  })
})

describe('exchange rates in receipts', () => {
  it('are those in force, of whatever has no parent', () => {
    const items = [
      ...executed(1, { nodeStakeUpdate: {} }, nonceOf(1)),
      ...executed(2, { cryptoCreateAccount: {} }, nonceOf(1)),
      ...executed(3, { atomicBatch: { transactions: [signed(transfer)] } }),
      ...executed(4, {}, { isInner: true, parent: 3 }),
      ...executed(5, transfer, { parent: 4, ...nonceOf(1) }),
      ...executed(6, transfer, { id: { scheduled: true }, result: { scheduleRef: {} }, parent: 3 }),
    ]
    const inForce = rates(12)
    expect(ratesOf(items, ratesBytes(12))).toEqual([inForce, inForce, inForce, undefined, undefined, inForce])
    expect(ratesOf(items)).toEqual(Array(6).fill(undefined))
  })

  it('change with the file of rates, for the transaction that changes it as well', () => {
    const update = (fileNum: number, contents: Buffer) => ({ fileUpdate: { fileID: { fileNum }, contents } })
    const whole = ratesBytes(24)
    const items = [
      ...executed(1, transfer),
      ...executed(2, update(112, ratesBytes(13))),
      ...executed(3, update(111, ratesBytes(99))),
      ...executed(4, update(112, ratesBytes(98)), { result: { status: 7 } }),
      ...executed(5, update(112, whole.subarray(0, 2))),
      ...executed(6, { fileAppend: { fileID: { fileNum: 112 }, contents: whole.subarray(2) } }),
    ]
    const expected = [12, 13, 13, 13, 13, 24].map(rates)
    expect(ratesOf(items, ratesBytes(12))).toEqual(expected)
    expect(ratesOf(executed(1, transfer), whole.subarray(0, 2))).toEqual([undefined])
  })

  it('of the creation of their file hold from the beginning of the ledger', () => {
    const created = put(6, { fileIdKey: { fileNum: 112 } }, { fileValue: {} })
    const creation = executed(2, { fileCreate: { contents: ratesBytes(11) } }, { state: [created] })
    const items = [...executed(1, transfer), ...creation, ...executed(3, transfer)]
    expect(ratesOf(items)).toEqual([rates(11), rates(11), rates(11)])
    expect(ratesOf(items, ratesBytes(10))).toEqual([rates(10), rates(11), rates(11)])
  })
})
