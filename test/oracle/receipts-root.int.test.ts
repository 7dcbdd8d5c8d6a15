import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, openSimulatedLedger, type SimulatedLedger } from '#test/oracle/simulated-ledger.ts'
import { relayReceiptsRoot } from '#test/support/relay-receipts.ts'

const timeoutMs = 120_000
const none = `0x${'00'.repeat(32)}`

describe('the root of the receipts of every block of a network', () => {
  let ledger: SimulatedLedger
  let blocks: readonly Json[]

  beforeAll(async () => {
    const options = {
      seed: 'receipts',
      accounts: 80,
      transactionsPerSecond: 120,
      dayBlocks: 8,
      addressBookUpdateBlocks: 5,
    }
    ledger = await openSimulatedLedger(options, 30)
    blocks = await ledger.list('/blocks?limit=100&order=asc', 'blocks')
  }, timeoutMs)
  afterAll(() => ledger.close())

  it('is what a relay computes from the results and logs that it is answered', { timeout: timeoutMs }, async () => {
    const seen = { types: new Set<number>(), synthetic: 0, failed: 0, largest: 0 }
    for (const { timestamp, receipts_root: root } of blocks) {
      const query = `?timestamp=gte:${timestamp.from}&timestamp=lte:${timestamp.to}&limit=100&order=asc`
      const results = await ledger.list(`/contracts/results${query}`, 'results')
      const logs = await ledger.list(`/contracts/results/logs${query}`, 'logs')
      expect(root).toBe(await relayReceiptsRoot(results, logs))
      for (const { type, bloom, status } of results) {
        seen.types.add(type)
        if (bloom === '0x') seen.synthetic += 1
        if (status === '0x0') seen.failed += 1
      }
      seen.largest = Math.max(seen.largest, results.length)
    }
    // Else this would say little.
    expect([...seen.types].sort()).toEqual([0, 1, 2, 4])
    expect(seen.synthetic).toBeGreaterThan(100)
    expect(seen.failed).toBeGreaterThan(10)
    expect(seen.largest).toBeGreaterThan(17)
  })

  it('is another one in each block with receipts, and the same by number and by hash', async () => {
    const roots = blocks.map(({ receipts_root: root }) => root).filter((root) => root !== none)
    expect(new Set(roots).size).toBe(roots.length)
    for (const { number, hash, receipts_root: root } of blocks.slice(0, 5)) {
      expect(await ledger.ask(`/blocks/${number}`)).toMatchObject({ receipts_root: root })
      expect(await ledger.ask(`/blocks/${hash}`)).toMatchObject({ receipts_root: root })
    }
  })
})
