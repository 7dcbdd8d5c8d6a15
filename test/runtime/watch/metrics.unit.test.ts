import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import {
  createImportMetrics,
  createLogMetrics,
  createOutputMetrics,
  createProjectionMetrics,
  createThreadMetrics,
  formatMetrics,
  snapshotOf,
} from '#src/runtime/watch/metrics.ts'

const lag = {
  name: 'transactions',
  version: 1,
  position: 90,
  head: 100,
  lagSeconds: 2,
  stalledSeconds: 0,
  state: 'following',
  parked: 3,
} as const

describe('metrics', () => {
  it('count what is published by topic, and say how far it is behind its read model', async () => {
    const registry = new Registry()
    const observe = createOutputMetrics(registry)
    observe({ topic: 'contract-logs', events: 40, lagSeconds: 2 })
    observe({ topic: 'contract-logs', events: 2, lagSeconds: 0 })
    const page = await formatMetrics([await snapshotOf(registry)])
    expect(page).toContain('ledger_output_events_total{topic="contract-logs"} 42\n')
    expect(page).toContain('ledger_output_lag_seconds{topic="contract-logs"} 0\n')
  })

  it('say position, head, lag and state of a projection, and count its parked events once', async () => {
    const registry = new Registry()
    const metrics = createProjectionMetrics(registry)
    metrics.observeBatch(lag, { events: 500, seconds: 0.02, loadsInTurn: 3 })
    metrics.observeStatus(lag)
    metrics.observeStatus({ ...lag, position: 100, lagSeconds: 0, parked: 4 })
    const page = await formatMetrics([await snapshotOf(registry)])
    const labels = '{projection="transactions",version="1",build="1"}'
    expect(page).toContain(`ledger_projection_position${labels} 100\n`)
    expect(page).toContain(`ledger_projection_head_position${labels} 100\n`)
    expect(page).toContain(`ledger_projection_lag_events${labels} 0\n`)
    expect(page).toContain(`ledger_projection_events_total${labels} 500\n`)
    expect(page).toContain(`ledger_projection_parked_events_total${labels} 4\n`)
    expect(page).toContain(`ledger_projection_loads_in_turn_total${labels} 3\n`)
    expect(page).toContain(
      'ledger_projection_state{projection="transactions",version="1",build="1",state="following"} 1\n',
    )
    expect(page).toContain(
      'ledger_projection_batch_duration_seconds_bucket{le="0.025",projection="transactions",version="1",build="1"} 1\n',
    )
  })

  it('say how far a rebuild is only while it is one', async () => {
    const registry = new Registry()
    const metrics = createProjectionMetrics(registry)
    const page = async () => formatMetrics([await snapshotOf(registry)])
    const labels = '{projection="transactions",version="2",build="3"}'
    const rebuilding = { ...lag, version: 2, build: 3, position: 25, state: 'rebuilding', etaSeconds: 30 } as const
    metrics.observeStatus(rebuilding)
    expect(await page()).toContain(`ledger_projection_rebuild_ratio${labels} 0.25\n`)
    expect(await page()).toContain(`ledger_projection_rebuild_eta_seconds${labels} 30\n`)
    metrics.observeStatus({ ...rebuilding, state: 'following' })
    expect(await page()).not.toContain('ledger_projection_rebuild_ratio{')
    expect(await page()).not.toContain('ledger_projection_rebuild_eta_seconds{')
    metrics.forget(rebuilding)
    expect(await page()).not.toMatch(/^ledger_projection_(position|state)\{/m)
  })

  it('show no lag in seconds behind nothing: not before the first block is folded, nor before one is on the log', async () => {
    const registry = new Registry()
    const metrics = createProjectionMetrics(registry)
    metrics.observeStatus(lag)
    metrics.observeStatus({ ...lag, position: 0, lagSeconds: null })
    const log = createLogMetrics(registry, () => 1_800_000_000_000)
    log.observe(0n)
    const page = await formatMetrics([await snapshotOf(registry)])
    expect(page).toContain('ledger_projection_lag_events{projection="transactions",version="1",build="1"} 100\n')
    expect(page).not.toMatch(/^ledger_(projection|import)_lag_seconds\S* \d/m)
  })

  it('show no lag behind a head that is not known, and how old the head is', async () => {
    const registry = new Registry()
    let ageSeconds = 1
    const metrics = createProjectionMetrics(registry, { headAgeSeconds: () => ageSeconds })
    metrics.observeStatus({ ...lag, position: 100 })
    metrics.forgetLag(lag)
    ageSeconds = 40
    const page = await formatMetrics([await snapshotOf(registry)])
    expect(page).not.toMatch(/^ledger_projection_lag_/m)
    expect(page).toContain('ledger_projection_head_age_seconds 40\n')
    expect(page).toContain('ledger_projection_position{projection="transactions",version="1",build="1"} 100\n')
  })

  it('of several threads make one page with one header per metric', async () => {
    const registries = ['import', 'project'].map((thread) => {
      const registry = new Registry()
      createThreadMetrics(registry, thread)
      return registry
    })
    const importing = createImportMetrics(registries[0]!, () => 20_000)
    const figures = { latestBlock: 7n, latestTime: 12_500_000_000n, blocks: 1, gapBlocks: 3n }
    importing.observe({ ...figures, transactions: 2 })
    importing.observe({ ...figures, transactions: 3 })
    const snapshots = await Promise.all(registries.map(snapshotOf))
    const page = await formatMetrics(structuredClone(snapshots))
    expect(page.match(/# TYPE ledger_thread_heap_bytes gauge/g)).toHaveLength(1)
    expect(page).toMatch(/ledger_thread_heap_bytes\{thread="project"\} \d+/)
    expect(page).toContain('ledger_import_latest_block 7\n')
    expect(page).toContain('ledger_import_lag_seconds 7.5\n')
    expect(page).toContain('ledger_import_gap_blocks 3\n')
    expect(page).toContain('ledger_import_transactions_total 3\n')
  })
})
