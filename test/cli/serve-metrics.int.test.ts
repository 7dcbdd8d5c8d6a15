import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Example } from '#src/http/reference/examples.ts'
import { holdExamples } from '#test/http/recorded-examples.ts'
import { versioned } from '#test/support/read-model-versions.ts'
import { Program, run } from './support.ts'

let folder: string
let url: string
const programs: Program[] = []

function begin(...args: string[]): Program {
  const program = new Program(args, { cwd: folder })
  programs.push(program)
  return program
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-serve-metrics-'))
  await run(['network', 'simulate', '--out', 'streams', '--blocks', '4', '--seed', 'metrics'], { cwd: folder })
  await run(['start', '--source', 'streams', '--once'], { cwd: folder })
  const serving = begin('serve', '--port', '0', '--api-threads', '1', '--api-lag-budget-seconds', '1')
  url = (await serving.printed(/ at (http:\S+)\/api\/v1/))[1]!
}, 300_000)
afterAll(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The value of one series; undefined while it is absent. */
async function figure(series: string): Promise<number | undefined> {
  const page = await (await fetch(`${url}/metrics`)).text()
  const line = page.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

it('answers about its health as the documentation shows by examples', { timeout: 60_000 }, async () => {
  const ask = async (request: string): Promise<Example> => {
    const answered = await fetch(url + request)
    const body = await answered.text()
    return { request, status: answered.status, answer: request === '/metrics' ? body : JSON.parse(body) }
  }
  const status = await ask('/health/status')
  // One read model shows the form of all, and of the processes the one that answers: others may only just have ended.
  type Status = { plan: { readModels: { transactions: object } }; process: object; processes: { role: string }[] }
  const { plan, processes, ...others } = status.answer as Status
  const { transactions } = plan.readModels
  const host = 'query-1'
  const answer = {
    ...others,
    process: { ...others.process, host },
    plan: { ...plan, readModels: { transactions } },
    processes: processes.filter(({ role }) => role === 'serve').map((each) => ({ ...each, host })),
  }
  holdExamples({
    getHealthLiveness: await ask('/health/liveness'),
    getHealthReadiness: await ask('/health/readiness'),
    getHealthStatus: { ...status, answer },
    getMetrics: await ask('/metrics'),
  })
})

describe('/metrics of a query process beside other processes', () => {
  it('tells the newest block and the missing ones as long as an importer is at work', { timeout: 60_000 }, async () => {
    expect(await figure('ledger_import_latest_block')).toBeUndefined()
    const importer = begin('import', 'run', '--source', 'streams')
    await vi.waitFor(async () => expect(await figure('ledger_import_latest_block')).toBe(3), { timeout: 20_000 })
    expect(await figure('ledger_import_gap_blocks')).toBe(0)
    await importer.stop()
    await vi.waitFor(async () => expect(await figure('ledger_import_latest_block')).toBeUndefined(), 10_000)
  })

  it('says in /health what the log lacks, and forgets an importer that was killed', {
    timeout: 60_000,
  }, async () => {
    const ask = async (page: string) => (await (await fetch(`${url}/health/${page}`)).json()) as Record<string, unknown>
    const status = async () => (await ask('status')) as { process: { port: number }; processes: { role: string }[] }
    const nodes = join(folder, 'earlier', 'recordstreams')
    cpSync(join(folder, 'streams'), join(folder, 'earlier'), { recursive: true })
    for (const node of readdirSync(nodes)) writeFileSync(join(nodes, node, '2000-01-01T00_00_00Z.rcd.gz'), '')
    const importer = begin('import', 'run', '--source', 'earlier', '--network', 'streams')
    const errors = [
      expect.stringMatching(/^Import of .*:\d+: .* has 2000-01-01T00_00_00Z before it; .*import republish/),
    ]
    await vi.waitFor(async () => expect(await ask('readiness')).toMatchObject({ status: 'UP', errors }), 20_000)
    const { port } = new URL(url)
    const serving = expect.objectContaining({ role: 'serve', port: Number(port) })
    expect(await status()).toMatchObject({
      process: { port: Number(port) },
      processes: expect.arrayContaining([serving]),
    })
    expect((await run(['projections', 'status'], { cwd: folder })).out).toMatch(`port ${port}`)
    await importer.stop('SIGKILL')
    const roles = async () => (await status()).processes.map(({ role }) => role)
    await vi.waitFor(async () => expect(await roles()).not.toContain('import'), 20_000)
    expect(await ask('readiness')).toMatchObject({ errors: [] })
  })

  it('tells how far a rebuild by another process is, until it is pruned', { timeout: 60_000 }, async () => {
    const labels = versioned('{projection="blocks",version="N",build="2"}')
    const rebuild = begin('projections', 'rebuild', 'blocks', 'hooks', '--throttle', '1')
    const ratio = `ledger_projection_rebuild_ratio${labels}`
    await vi.waitFor(async () => expect(await figure(ratio)).toBeLessThan(1), { timeout: 20_000 })
    const statusOf = async () =>
      (await (await fetch(`${url}/health/status`)).json()) as { processes: { role: string }[] }
    await vi.waitFor(async () => {
      const rebuilds = (await statusOf()).processes.filter(({ role }) => role === 'rebuild')
      expect(rebuilds).toMatchObject([{ runs: [{ name: 'blocks' }, { name: 'hooks' }] }])
    }, 10_000)
    await rebuild.stop('SIGKILL')
    expect(await figure(`ledger_projection_state${labels.replace('}', ',state="rebuilding"}')}`)).toBe(1)

    await run(['projections', 'rebuild', 'blocks', '--throttle', '0'], { cwd: folder })
    await vi.waitFor(async () => expect(await figure(ratio)).toBeUndefined(), 10_000)
    expect(await figure(`ledger_projection_lag_events${labels}`)).toBe(0)
    await run(['projections', 'prune', 'blocks'], { cwd: folder })
    await vi.waitFor(async () => expect(await figure(`ledger_projection_position${labels}`)).toBeUndefined(), 10_000)
  })

  it('tells that a serving instance is paused, and does not take that for standing still', {
    timeout: 60_000,
  }, async () => {
    const labels = versioned('{projection="blocks",version="N",build="1"')
    await run(['projections', 'pause', 'blocks'], { cwd: folder })
    await vi.waitFor(
      async () => expect(await figure(`ledger_projection_state${labels},state="paused"}`)).toBe(1),
      10_000,
    )
    await run(['network', 'simulate', '--out', 'streams', '--blocks', '1', '--seed', 'metrics'], { cwd: folder })
    await run(['import', 'run', '--source', 'streams', '--once'], { cwd: folder })
    const lag = `ledger_projection_lag_events${labels}}`
    await vi.waitFor(async () => expect(await figure(lag)).toBeGreaterThan(0), 10_000)
    expect(await figure(`ledger_projection_stalled_seconds${labels}}`)).toBe(0)
    // The others are as far behind, and nobody has said that they should be.
    for (const path of ['readiness', 'status']) {
      const answer = await fetch(`${url}/health/${path}`)
      const { paused, reasons } = (await answer.json()) as { paused: string[]; reasons: string[] }
      expect(paused).toEqual(['blocks'])
      expect(reasons.filter((reason) => reason.startsWith('blocks '))).toEqual([])
    }
  })
})
