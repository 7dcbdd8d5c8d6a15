import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { BlockNodePresence, ImportPresence } from '#src/operations/import-presence.ts'
import { formatMetrics, snapshotOf } from '#src/runtime/watch/metrics.ts'
import { createStreamMetrics } from '#src/runtime/watch/stream-metrics.ts'

const node: BlockNodePresence = {
  name: 'node.example:40840',
  origin: 'discovered',
  registeredNodeId: '7',
  priority: 0,
  tls: true,
  streaming: true,
  latencyMs: 250,
  lastBlock: '12',
  errors: { timeout: 2, rejected: 1 },
  oddities: { empty_set: 3 },
}
const stream = {
  setting: 'cutover',
  stream: 'blocks',
  source: 'nodes',
  from: 'block node node.example:40840',
  since: '2026-11-25T14:00:00.000Z',
  why: 'no record file for 16 s',
} as const
const presence: ImportPresence = { generation: 1, head: 10, latestBlock: '12', stream, blockNodes: [node] }
const now = Date.parse('2026-11-25T14:00:40.000Z')

function pageOf(read: () => ImportPresence | undefined): () => Promise<string> {
  const registry = new Registry()
  createStreamMetrics(registry, { read, now: () => now })
  return async () => formatMetrics([await snapshotOf(registry)])
}

describe('metrics of streams', () => {
  it('say what is read, from what kind of place, and since when', async () => {
    const page = await pageOf(() => presence)()
    expect(page).toContain('ledger_import_stream{stream="records"} 0\n')
    expect(page).toContain('ledger_import_stream{stream="blocks"} 1\n')
    expect(page).toContain('ledger_import_source{source="nodes"} 1\n')
    expect(page).toContain('ledger_import_source{source="bucket"} 0\n')
    expect(page).toContain(`ledger_import_stream_since_seconds ${Date.parse(stream.since) / 1_000}\n`)
    expect(page).toContain('ledger_import_quiet_seconds 0\n')
  })

  it('grow while nothing new comes, also when nobody reports anything', async () => {
    const quiet = { ...presence, stream: { ...stream, quietSince: '2026-11-25T14:00:10.000Z' } }
    expect(await pageOf(() => quiet)()).toContain('ledger_import_quiet_seconds 30\n')
  })

  it('name the problem while it lasts, and none of an importer that stands by', async () => {
    let current: ImportPresence = { ...presence, problem: 'No block', problemCode: 'source_quiet' }
    const page = pageOf(() => current)
    expect(await page()).toContain('ledger_import_problem{code="source_quiet"} 1\n')
    current = presence
    expect(await page()).not.toMatch(/^ledger_import_problem\{/m)
    current = { ...presence, standby: true, problem: 'Another one imports', problemCode: 'log_writer_busy' }
    expect(await page()).not.toMatch(/^ledger_import_problem\{/m)
  })

  it('tell of each block node where it comes from and how it does', async () => {
    const page = await pageOf(() => ({
      ...presence,
      blockNodes: [{ ...node, setAsideUntil: new Date(now + 45_000).toISOString() }],
    }))()
    expect(page).toContain(
      'ledger_block_node_info{node="node.example:40840",origin="discovered",registered_node="7",priority="0",tls="true"} 1\n',
    )
    expect(page).toContain('ledger_block_node_errors_total{node="node.example:40840",reason="timeout"} 2\n')
    expect(page).toContain('ledger_block_node_errors_total{node="node.example:40840",reason="rejected"} 1\n')
    expect(page).toContain('ledger_block_node_oddities_total{node="node.example:40840",oddity="empty_set"} 3\n')
    expect(page).toContain('ledger_block_node_latency_seconds{node="node.example:40840"} 0.25\n')
    expect(page).toContain('ledger_block_node_last_block{node="node.example:40840"} 12\n')
    expect(page).toContain('ledger_block_node_streaming{node="node.example:40840"} 1\n')
    expect(page).toContain('ledger_block_node_set_aside_seconds{node="node.example:40840"} 45\n')
  })

  it('forget a node that is gone, and all where no importer is known', async () => {
    let current: ImportPresence | undefined = presence
    const page = pageOf(() => current)
    expect(await page()).toMatch(/^ledger_block_node_errors_total\{/m)
    current = { ...presence, blockNodes: [] }
    expect(await page()).not.toMatch(/^ledger_block_node_\w+\{/m)
    current = undefined
    expect(await page()).not.toMatch(/^ledger_/m)
  })
})
