import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Program, run } from './support.ts'

let folder: string
const programs: Program[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-scrubbing-'))
})
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Scrubbed {
  readonly at: string
  readonly rows: number
  readonly whole: boolean
}

interface Readiness {
  readonly status: string
  readonly reasons: readonly string[]
  readonly readModels: readonly { readonly name: string; readonly scrubbed: Scrubbed | null }[]
}

async function begin(...args: string[]): Promise<string> {
  const program = new Program(['start', '--source', 'streams', '--port', '0', ...args], { cwd: folder })
  programs.push(program)
  return (await program.printed(/ (http:\S+)\/api\/v1/))[1]!
}

async function readinessAt(url: string): Promise<Readiness> {
  return (await (await fetch(`${url}/health/readiness`)).json()) as Readiness
}

async function figures(url: string, name: string): Promise<Map<string, number>> {
  const page = await (await fetch(`${url}/metrics`)).text()
  const lines = page.split('\n').filter((line) => line.startsWith(`${name}{`))
  return new Map(lines.map((line) => [/projection="([^"]+)"/.exec(line)![1]!, Number(line.split(' ').at(-1))]))
}

/** What lies there is changed as a disk would: nobody is told, and an index that covers it is, too. */
function alter(model: string, statement: string): void {
  const store = join(folder, 'data', 'store')
  const file = readdirSync(store).find((name) => name.startsWith(`${model}@`) && name.endsWith('.sqlite'))!
  const database = new DatabaseSync(join(store, file), { timeout: 10_000 })
  database.exec(statement)
  database.close()
}

it('every read model is read by itself as often as configured, which readiness and metrics say, and what it finds is answered with 503', {
  timeout: 120_000,
}, async () => {
  const network = ['network', 'simulate', '--out', 'streams', '--blocks', '6', '--seed', 'scrubbing']
  expect((await run(network, { cwd: folder })).code).toBe(0)
  const url = await begin('--scrub-every-hours', '0.002', '--scrub-cpu-share', '1')

  const all = await vi.waitFor(
    async () => {
      const { status, readModels } = await readinessAt(url)
      expect(status).toBe('UP')
      expect(readModels.filter(({ scrubbed }) => scrubbed?.whole !== true)).toEqual([])
      return readModels
    },
    { timeout: 60_000, interval: 250 },
  )
  const blocks = all.find(({ name }) => name === 'blocks')!.scrubbed!
  expect(blocks.rows).toBeGreaterThanOrEqual(6)
  expect(Math.abs(Date.now() - Date.parse(blocks.at))).toBeLessThan(60_000)
  expect((await figures(url, 'ledger_projection_scrub_end_seconds')).get('blocks')).toBeGreaterThan(1.7e9)
  expect((await figures(url, 'ledger_projection_scrub_damaged')).get('blocks')).toBe(0)

  const accounts = await fetch(`${url}/api/v1/accounts?limit=1`)
  expect(accounts.status).toBe(200)
  // Nobody asks for it.
  alter('blocks', `UPDATE blocks SET name = name || 'x' WHERE number = 1`)
  const found = await vi.waitFor(
    async () => {
      const readiness = await readinessAt(url)
      expect(readiness.status).toBe('DOWN')
      return readiness
    },
    { timeout: 60_000, interval: 250 },
  )
  expect(found.reasons.join()).toMatch(/blocks \d+ cannot be answered from: .* damaged: .*projections rebuild/)
  expect((await fetch(`${url}/api/v1/blocks/5`)).status).toBe(503)
  expect((await fetch(`${url}/api/v1/accounts?limit=1`)).status).toBe(200)
  await vi.waitFor(async () => expect((await figures(url, 'ledger_projection_scrub_damaged')).get('blocks')).toBe(1))
})

it('none is read where that is turned off, nor before a day has passed', { timeout: 60_000 }, async () => {
  const network = ['network', 'simulate', '--out', 'streams', '--blocks', '3', '--seed', 'scrubbing']
  expect((await run(network, { cwd: folder })).code).toBe(0)
  const url = await begin()
  await vi.waitFor(async () => expect((await readinessAt(url)).status).toBe('UP'), { timeout: 20_000, interval: 200 })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect((await readinessAt(url)).readModels.filter(({ scrubbed }) => scrubbed !== null)).toEqual([])
})
