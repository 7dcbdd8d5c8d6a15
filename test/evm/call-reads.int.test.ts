import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { openStatedLedger } from '#test/evm/call-ledger.ts'
import { CountedReads } from '#test/evm/counted-reads.ts'
import { alice, bob, coin, runner, seenAs, systemWorld, treasury } from '#test/evm/system/world.ts'
import type { TestLedger } from '#test/http/ledger.ts'

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
])
/** Returns what a mapping in slot 0 has for the first argument. */
const balances = '6004356000526000602052604060002054600052602060' + '00f3'
const trips = { warm: 3, cold: 8 } as const

const counted = new CountedReads()
let ledger: TestLedger

beforeAll(async () => {
  const world = systemWorld(balances)
  const slotOf = (id: bigint) =>
    keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [seenAs(id), 0n]))
  const accounts = world.accounts.map((account) =>
    account.id === Number(runner) ? { ...account, storage: { [slotOf(alice)]: '0x7', [slotOf(bob)]: '0x8' } } : account,
  )
  ledger = await openStatedLedger({ ...world, accounts })
})

afterAll(() => ledger.close())

/** What a call to a contract or token returns, in how many trips, first as the first ever, then for somebody else. */
async function both(to: Hex, dataOf: (holder: Hex) => Hex, estimate = false) {
  const readers = Object.fromEntries(Object.entries(ledger.readers).map(([name, each]) => [name, counted.of(each)]))
  const app = ledger.app(
    { contractCalls: { ...defaultCallSettings, deadlineMs: 50_000 } },
    { readers: readers as TestLedger['readers'] },
  )
  const results: { readonly result: bigint; readonly trips: number; readonly reads: number }[] = []
  for (const holder of estimate ? [seenAs(runner), seenAs(treasury)] : [seenAs(alice), seenAs(bob)]) {
    counted.begin()
    const payload = { from: seenAs(estimate ? bob : treasury), to, data: dataOf(holder), estimate }
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/v1/contracts/call', payload })
    expect(statusCode, body).toBe(200)
    const { result } = JSON.parse(body) as { result: Hex }
    results.push({ result: BigInt(result), trips: counted.trips, reads: counted.reads })
  }
  await app.close()
  return results
}

const balanceOf = (holder: Hex): Hex => encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [holder] })

it('reads the balance of an ERC-20 contract in one trip once its code is known', async () => {
  const [cold, warm] = await both(seenAs(runner), balanceOf)
  expect([cold!.result, warm!.result]).toEqual([7n, 8n])
  expect(cold!.trips).toBeLessThanOrEqual(trips.cold)
  expect(warm!.trips, `${warm!.reads} reads`).toBe(1)
})

it('reads the balance of a token at its address in a few trips', async () => {
  const [cold, warm] = await both(seenAs(coin), balanceOf)
  expect(warm!.result).toBe(100n)
  expect(cold!.trips, `${cold!.reads} reads`).toBeLessThanOrEqual(trips.cold)
  expect(warm!.trips, `${warm!.reads} reads`).toBeLessThanOrEqual(trips.warm)
})

it('estimates a transfer in a few trips, however often it runs it', async () => {
  const transfer = (receiver: Hex): Hex =>
    encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [receiver, 1n] })
  const [cold, warm] = await both(seenAs(coin), transfer, true)
  expect(warm!.result).toBeGreaterThan(21_000n)
  expect(cold!.trips, `${cold!.reads} reads`).toBeLessThanOrEqual(trips.cold)
  expect(warm!.trips, `${warm!.reads} reads`).toBeLessThanOrEqual(trips.warm)
})
