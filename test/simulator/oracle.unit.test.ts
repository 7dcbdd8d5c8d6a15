import { beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { totalSupply } from '#src/simulator/genesis.ts'
import { LedgerHistory } from '#src/simulator/ledger-history.ts'
import { createNetwork, type SimulatedNetwork } from '#src/simulator/network.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { type ReadItem, readBlock } from '#test/simulator/read-back.ts'

const blocks = 100
const options = {
  seed: 'oracle test',
  nodes: 2,
  accounts: 60,
  transactionsPerSecond: 25,
  dayBlocks: 12,
  addressBookUpdateBlocks: 40,
}

let network: SimulatedNetwork
let history: LedgerHistory
let items: ReadItem[] = []

beforeAll(async () => {
  history = new LedgerHistory()
  network = createNetwork(options, undefined, history)
  items = (await nextBlocks(network, blocks)).map(readBlock).flatMap((block) => [...block.items])
})

const timeOf = ({ record }: ReadItem): bigint => {
  const { seconds, nanos = 0 } = record['consensusTimestamp'] as { seconds: number; nanos?: number }
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}
const amountsOf = ({ record }: ReadItem) =>
  ((record['transferList'] as Message)['accountAmounts'] ?? []) as { accountID: Message; amount: number }[]
const numOf = (id: unknown) => Number((id as Message)['accountNum'])

/** Hbar by account from the records alone, up to a number of items. */
function sums(upTo: number): Map<number, bigint> {
  const balances = new Map<number, bigint>()
  for (const item of items.slice(0, upTo))
    for (const { accountID, amount } of amountsOf(item)) {
      const num = numOf(accountID)
      balances.set(num, (balances.get(num) ?? 0n) + BigInt(amount))
    }
  return balances
}

describe('the history of a simulated ledger', () => {
  it('has every item of the files', () => {
    expect(history.items).toBe(items.length)
    expect(history.newest).toBe(timeOf(items.at(-1) as ReadItem))
  })

  it('has the balances that the records add up to, now and at any instant', () => {
    for (const upTo of [40, 300, Math.floor(items.length / 2), items.length - 1, items.length]) {
      const view = history.at(timeOf(items[upTo - 1] as ReadItem))
      expect(view.balances()).toEqual(sums(upTo))
    }
  })

  it('has the whole supply from the opening items on, and nobody ever owes hbar', () => {
    const opening = items.filter(({ record }) => record['memo'] === 'Synthetic system creation')
    const last = items.indexOf(opening.at(-1) as ReadItem)
    for (const item of items.slice(last + 1))
      expect(amountsOf(item).reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    for (const upTo of [last, 200, items.length - 1]) {
      const view = history.at(timeOf(items[upTo] as ReadItem))
      expect(view.sumOf(view.balances().keys())).toBe(BigInt(totalSupply))
      expect([...view.balances()].filter(([, balance]) => balance < 0n)).toEqual([])
    }
  })

  it('agrees with what the network itself remembers', () => {
    const { ledger } = network.save()
    const view = history.now()
    for (const account of [...ledger.users, ...ledger.guests]) {
      const entity = view.entity(account.num)
      expect(view.balance(account.num) ?? 0n).toBe(BigInt(account.balance))
      expect(entity).toMatchObject({
        type: 'ACCOUNT',
        deleted: false,
        alias: account.alias,
        evmAddress: account.evmAddress,
        ethereumNonce: account.ethereumNonce,
        stakedNode: account.staking?.node ?? null,
        stakePeriodStart: account.staking?.periodStart ?? null,
      })
      expect(account.alias === null ? account.num : view.numOf(account.alias)).toBe(account.num)
    }
    for (const { num, balance } of ledger.contracts) expect(view.balance(num) ?? 0n).toBe(BigInt(balance))
    for (const token of ledger.tokens) {
      expect(view.row('tokens', token.num)).toMatchObject({ treasury: token.treasury, supply: BigInt(token.supply) })
      for (const [num, units] of Object.entries(token.holders))
        expect(view.row('relations', `${num}/${token.num}`)).toMatchObject({ associated: true, balance: BigInt(units) })
      for (const { serial, owner } of token.nfts) expect(view.row('nfts', `${token.num}/${serial}`)?.owner).toBe(owner)
    }
    for (const owner of [...ledger.users, ...ledger.contracts])
      for (const hook of owner.hooks) {
        expect(view.row('hooks', `${owner.num}/${hook.id}`)).toMatchObject({ contract: hook.contract, deleted: false })
        const slots = [...view.rows('hookSlots', `${owner.num}/${hook.id}/`)].filter(([, { value }]) => value !== '')
        expect(slots).toHaveLength(Object.keys(hook.slots).length)
      }
  })

  it('gives supplies that the holders of a token add up to, of collections as long as they live', () => {
    const view = history.now()
    const relations = [...view.rows('relations')]
    for (const [num, { supply, nft }] of view.rows('tokens')) {
      if (nft && view.entity(Number(num))?.deleted) continue
      const held = relations
        .filter(([key]) => key.endsWith(`/${num}`))
        .reduce((sum, [, { balance }]) => sum + balance, 0n)
      expect([num, held]).toEqual([num, supply])
    }
  })

  it('pays rewards of past periods from the reward account, each period once', () => {
    expect(history.rewards.length).toBeGreaterThan(50)
    const days = new Set<string>()
    for (const { account, amount, time } of history.rewards) {
      expect(history.at(time - 1n).pendingReward(account)).toBe(BigInt(amount))
      expect(history.at(time).pendingReward(account)).toBe(0n)
      const day = `${account} on ${time / 86_400_000_000_000n}`
      expect(days).not.toContain(day)
      days.add(day)
    }
  })

  it('gives the same state when its items are told again', async () => {
    const again = new LedgerHistory()
    const replayed = createNetwork(options, undefined, again)
    await nextBlocks(replayed, blocks)
    const middle = timeOf(items[Math.floor(items.length / 2)] as ReadItem)
    for (const table of [
      'entities',
      'relations',
      'hooks',
      'hookSlots',
      'nodes',
      'registeredNodes',
      'stakes',
    ] as const) {
      expect(again.now().rows(table)).toEqual(history.now().rows(table))
      expect(again.at(middle).rows(table)).toEqual(history.at(middle).rows(table))
    }
  })
})
