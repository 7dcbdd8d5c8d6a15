import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, at, executed, put, signed, tokenId, toldBy } from '#test/importer/block/made-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

const supply = (num: number, totalSupply: number) =>
  put(7, { tokenIdKey: tokenId(num) }, { tokenValue: { tokenId: tokenId(num), totalSupply } })
const mint = (fields: Message, num = 50) => ({ tokenMint: { token: tokenId(num), ...fields } })
const burn = (fields: Message, num = 50) => ({ tokenBurn: { token: tokenId(num), ...fields } })
const wipe = (fields: Message, num = 50) => ({ tokenWipe: { token: tokenId(num), account: accountId(9), ...fields } })
const metadata = (count: number) => ({ metadata: Array.from({ length: count }, () => Buffer.of(1)) })
const nfts = (num: number, ...serials: number[]) => ({
  tokenTransferLists: [
    {
      token: tokenId(num),
      nftTransfers: serials.map((serialNumber) => ({ receiverAccountID: accountId(2), serialNumber })),
    },
  ],
})

/** Total supplies behind the transactions of a batch, which leaves the state. */
function supplies(state: Message[], ...bodies: Message[]) {
  const { records, warnings } = toldBy([
    ...executed(1, { atomicBatch: { transactions: bodies.map((body) => signed(body)) } }, { state }),
    ...bodies.flatMap((_, index) => executed(2 + index, {}, { isInner: true, parent: 1 })),
  ])
  return { told: records.slice(1).map(({ receipt }) => receipt['newTotalSupply']), warnings }
}

describe('the supply of a token', () => {
  it('is that of the state behind the last transaction that changed it, and is taken back from there', () => {
    const { told, warnings } = supplies(
      [supply(50, 1_000), supply(51, 7)],
      mint({ amount: 100 }),
      burn({ amount: 30 }),
      mint(metadata(3), 51),
      wipe({ amount: 5 }),
      burn({ serialNumbers: [1, 300] }, 51),
      wipe({ serialNumbers: [2] }, 51),
      mint({ amount: 1 }),
    )
    // 1,000 behind all of it; 999, 1,004 and 1,034 before.
    expect(told).toEqual([1_034, 1_004, 10, 999, 8, 7, 1_000])
    expect(warnings).toEqual([])
  })

  it('may be none at all, which is not written', () => {
    expect(supplies([supply(50, 0)], burn({ amount: 5 }))).toEqual({ told: [undefined], warnings: [] })
  })

  it('counts serial numbers also where each is a field of its own', () => {
    const serials = [1, 300, 7].map((serial) => varintField(3, serial))
    const bodyBytes = bytesField(38, bytesField(1, varintField(3, 50)), ...serials)
    const [, result] = executed(1, {}, { result: {} })
    const state = { stateChanges: { consensusTimestamp: at(1), stateChanges: [supply(50, 6)] } }
    const burned = (time: number) => [
      { signedTransaction: bytesField(1, bodyBytes) },
      { transactionResult: { status: 22, consensusTimestamp: at(time), parentConsensusTimestamp: at(1) } },
    ]
    const { records } = toldBy([
      { signedTransaction: signed({ cryptoTransfer: {} }) },
      result!,
      state,
      ...burned(2),
      ...burned(3),
    ])
    expect(records.map(({ receipt }) => receipt['newTotalSupply'])).toEqual([undefined, 9, 6])
  })

  it('is not told where the state does not have the token, which is said', () => {
    const { told, warnings } = supplies([supply(51, 7)], mint({ amount: 1 }))
    expect(told).toEqual([undefined])
    expect(warnings).toEqual([expect.stringMatching(/does not tell the total supply of the token$/)])
    expect(supplies([supply(51, 7)], { tokenBurn: { amount: 1 } }).warnings).toHaveLength(1)
  })

  it('does not change by what failed', () => {
    const { records } = toldBy([
      ...executed(
        1,
        { atomicBatch: { transactions: [signed(mint({ amount: 1 })), signed(mint({ amount: 2 }))] } },
        { state: [supply(50, 10)] },
      ),
      ...executed(2, {}, { isInner: true, parent: 1 }),
      ...executed(3, {}, { isInner: true, parent: 1, result: { status: 7 } }),
    ])
    expect(records.map(({ receipt }) => receipt['newTotalSupply'])).toEqual([undefined, 10, undefined])
  })
})

describe('serial numbers of a mint', () => {
  const minted = (result: Message) =>
    toldBy(executed(1, mint(metadata(3)), { state: [supply(50, 3)], result })).records[0]!.receipt['serialNumbers']

  it('are those that the treasury was given, in their order', () => {
    expect(minted(nfts(50, 300, 7, 12))).toEqual([7, 12, 300])
  })

  it('are those of its token alone', () => {
    expect(minted(nfts(51, 1))).toBeUndefined()
    expect(minted({})).toBeUndefined()
  })
})
