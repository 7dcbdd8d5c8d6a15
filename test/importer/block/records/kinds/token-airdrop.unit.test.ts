import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, executed, put, removed, signed, tokenId, toldBy } from '#test/importer/block/made-blocks.ts'

const [sender, first, second] = [11, 12, 13]
const alias = Buffer.alloc(20, 0xab)

type Given = readonly [account: number | Buffer, amount: number]
const idOf = (account: number | Buffer) => (typeof account === 'number' ? accountId(account) : { alias: account })
const fungible = (token: number, ...given: Given[]) => ({
  token: tokenId(token),
  transfers: given.map(([account, amount]) => ({ accountID: idOf(account), amount })),
})
const nft = (token: number, serialNumber: number, to: number | Buffer) => ({
  token: tokenId(token),
  nftTransfers: [{ senderAccountID: accountId(sender), receiverAccountID: idOf(to), serialNumber }],
})
const airdrop = (...tokenTransfers: Message[]) => ({ tokenAirdrop: { tokenTransfers } })

const keyOf = (receiver: number, more: Message) => ({
  pendingAirdropIdKey: { senderId: accountId(sender), receiverId: accountId(receiver), ...more },
})
const waits = (receiver: number, token: number, amount: number) =>
  put(25, keyOf(receiver, { fungibleTokenType: tokenId(token) }), {
    accountPendingAirdropValue: { pendingAirdropValue: { amount } },
  })
const nftKey = (receiver: number, token: number, serialNumber: number) =>
  keyOf(receiver, { nonFungibleToken: { token_ID: tokenId(token), serialNumber } })
const nftWaits = (receiver: number, token: number, serialNumber: number) =>
  put(25, nftKey(receiver, token, serialNumber), { accountPendingAirdropValue: {} })
const named = (num: number, of: Buffer) =>
  put(2, { accountIdKey: accountId(num) }, { accountValue: { accountId: accountId(num), alias: of } })

/** `<receiver> <token> <amount>` or `<receiver> <token>#<serial number>` of each that waits. */
function pendingIn(record: Message): string[] {
  return ((record['newPendingAirdrops'] ?? []) as Message[]).map(({ pendingAirdropId, pendingAirdropValue }) => {
    const { senderId, receiverId, fungibleTokenType, nonFungibleToken } = pendingAirdropId as Record<string, Message>
    const { accountNum, alias: named } = receiverId as Message
    expect(senderId).toEqual({ accountNum: sender, account: 'accountNum' })
    const receiver = named ? Buffer.from(named as Uint8Array).toString('hex') : accountNum
    if (fungibleTokenType)
      return `${receiver} ${fungibleTokenType['tokenNum']} ${(pendingAirdropValue as Message)['amount']}`
    const { token_ID, serialNumber } = nonFungibleToken as Message
    expect(pendingAirdropValue).toBeUndefined()
    return `${receiver} ${(token_ID as Message)['tokenNum']}#${serialNumber}`
  })
}

function told(body: Message, state: Message[], result: Message = {}) {
  const { records, warnings } = toldBy(executed(1, body, { state, result }))
  return { pending: pendingIn(records[0]!.record), warnings }
}

describe('what an airdrop leaves to be claimed', () => {
  it('is what its receivers have not received', () => {
    const body = airdrop(fungible(50, [sender, -30], [first, 10], [second, 20]), nft(51, 7, first), nft(51, 8, second))
    const tokenTransferLists = [fungible(50, [sender, -20], [second, 20]), nft(51, 8, second)]
    expect(told(body, [waits(first, 50, 10), nftWaits(first, 51, 7)], { tokenTransferLists })).toEqual({
      pending: ['12 50 10', '12 51#7'],
      warnings: [],
    })
  })

  it('is nothing where all was received, or nothing was given', () => {
    const lists = [fungible(50, [sender, -10], [first, 10])]
    expect(told(airdrop(...lists), [], { tokenTransferLists: lists }).pending).toEqual([])
    expect(told(airdrop(...lists), [waits(first, 50, 10)], { status: 7 }).pending).toEqual([])
    expect(told(airdrop(fungible(50, [first, 10])), [waits(first, 50, 10)]).pending).toEqual([])
  })

  it('adds to what waited before, as the state has it', () => {
    expect(told(airdrop(fungible(50, [sender, -10], [first, 10])), [waits(first, 50, 25)]).pending).toEqual([
      '12 50 25',
    ])
  })

  it('is taken back from one airdrop of a family to the one before', () => {
    const bodies = [4, 6].map((amount) => signed(airdrop(fungible(50, [sender, -amount], [first, amount]))))
    const { records } = toldBy([
      ...executed(1, { atomicBatch: { transactions: bodies } }, { state: [waits(first, 50, 15)] }),
      ...executed(2, {}, { isInner: true, parent: 1 }),
      ...executed(3, {}, { isInner: true, parent: 1 }),
    ])
    expect(records.map(({ record }) => pendingIn(record))).toEqual([[], ['12 50 9'], ['12 50 15']])
  })

  it('is the amount of the body where the state has none, which is said', () => {
    const claimed = removed(25, keyOf(first, { fungibleTokenType: tokenId(50) }))
    const { pending, warnings } = told(airdrop(fungible(50, [sender, -10], [first, 10])), [claimed])
    expect(pending).toEqual(['12 50 10'])
    expect(warnings).toEqual([expect.stringMatching(/does not tell how much of a token waits for its receiver$/)])
  })
})

describe('a receiver who is named by an alias', () => {
  const body = airdrop(fungible(50, [sender, -30], [alias, 10], [second, 20]), nft(51, 7, alias))

  it('is the account that the state has under it', () => {
    const state = [named(first, alias), waits(first, 50, 10), waits(second, 50, 20), nftWaits(first, 51, 7)]
    expect(told(body, state)).toEqual({ pending: ['12 50 10', '13 50 20', '12 51#7'], warnings: [] })
    const tokenTransferLists = [fungible(50, [sender, -30], [first, 10], [second, 20]), nft(51, 7, first)]
    expect(told(body, [named(first, alias)], { tokenTransferLists }).pending).toEqual([])
  })

  it('is the one for whom it waits, where nothing of the account has changed', () => {
    const state = [waits(second, 50, 20), waits(first, 50, 10), nftWaits(first, 51, 7)]
    expect(told(body, state)).toEqual({ pending: ['12 50 10', '13 50 20', '12 51#7'], warnings: [] })
  })

  it('has received it where it waits for nobody', () => {
    const tokenTransferLists = [fungible(50, [sender, -30], [first, 10], [second, 20]), nft(51, 7, first)]
    expect(told(body, [], { tokenTransferLists })).toEqual({ pending: [], warnings: [] })
  })

  it('may be the sender as well', () => {
    const given = [alias, -10] as const
    const state = [named(sender, alias), waits(first, 50, 10)]
    expect(told(airdrop(fungible(50, given, [first, 10])), state).pending).toEqual(['12 50 10'])
  })
})
