import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences } from '#test/oracle/compare-runs.ts'
import { type Replayed, replayRoute } from '#test/oracle/replay-route.ts'
import { openSimulatedLedger, type SimulatedLedger } from '#test/oracle/simulated-ledger.ts'

const timeoutMs = 3_600_000
/** How many transactions are run again at least. */
const runs = Number(process.env['ORACLE_RUNS'] ?? 250)
const seed = process.env['ORACLE_SEED'] ?? 'runs again'
const perBlock = 100
const blocksMin = 4

const mix = {
  weights: {
    contractCall: 20,
    contractCallWithChildren: 8,
    contractLazyCreate: 2,
    fieldContract: 25,
    approvedTransfer: 4,
    ethereumCall: 15,
    ethereumCreate: 3,
    ethereumDelegation: 2,
    contractCreate: 4,
    tokenCreate: 0.5,
    tokenTransfer: 2,
    cryptoApproveAllowance: 3,
    hbarTransfer: 2,
  },
  failureShare: 0.12,
  duplicateShare: 0.02,
  showEachKind: true,
}

describe('transactions that ran contracts', () => {
  let ledger: SimulatedLedger

  beforeAll(async () => {
    const options = { mix, seed, nodes: 1, accounts: 80, transactionsPerSecond: perBlock / 2 }
    const blocks = Math.max(blocksMin, Math.ceil((runs * 1.4) / perBlock))
    ledger = await openSimulatedLedger(options, blocks, [replayRoute])
  }, timeoutMs)
  afterAll(() => ledger.close())

  it('do again what they did, run on the state just before them', { timeout: timeoutMs }, async () => {
    const counts = { runs: 0, equal: 0 }
    const differing: unknown[] = []
    const kinds = new Map<string, number>()
    for (const { hash, result, gas_used: gas } of await ledger.list(
      '/contracts/results?limit=100&order=asc',
      'results',
    )) {
      if (gas === null || gas === 0n || gas === 0 || notRun.has(result)) continue
      const differs = await compare(ledger, hash)
      counts.runs += 1
      if (differs.length === 0) counts.equal += 1
      else differing.push({ hash, differs })
      kinds.set(result, (kinds.get(result) ?? 0) + 1)
    }
    console.info(
      `${counts.runs} runs, ${counts.equal} equal, 0 explained: ${[...kinds].map((each) => each.join(' ')).join(', ')}`,
    )
    expect(differing.slice(0, 3)).toEqual([])
    expect(counts.runs).toBeGreaterThanOrEqual(runs)
  })
})

/** What these say is that nothing ran. */
const notRun = new Set(['WRONG_NONCE', 'INSUFFICIENT_TX_FEE', 'INVALID_CONTRACT_ID', 'INVALID_FILE_ID'])

async function compare(ledger: SimulatedLedger, hash: string) {
  const result = await ledger.ask(`/contracts/results/${hash}`, 200, 206)
  const actions = await ledger.list(`/contracts/results/${hash}/actions?limit=100`, 'actions')
  const again: Replayed = await ledger.ask(`/replays/${hash}`)
  const named = {
    isToken: (address: string) => isToken(ledger, address),
    numbered: (address: string) => numbered(ledger, address),
  }
  return differences({ result, actions, ...named }, again)
}

const numbersByLedger = new WeakMap<SimulatedLedger, Map<string, string>>()

function numbered(ledger: SimulatedLedger, address: string): string {
  const known = numbersByLedger.get(ledger) ?? new Map<string, string>()
  if (known.size === 0)
    for (const [num, { evmAddress }] of ledger.history.now().rows('entities'))
      if (evmAddress !== null) known.set(`0x${evmAddress}`, `0x${Number(num).toString(16).padStart(40, '0')}`)
  numbersByLedger.set(ledger, known)
  return known.get(address) ?? address
}

function isToken({ history }: SimulatedLedger, address: string): boolean {
  return history.now().entity(Number.parseInt(address.slice(-16), 16))?.type === 'TOKEN'
}
