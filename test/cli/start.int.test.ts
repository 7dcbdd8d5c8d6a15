import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { dataFormat, openDataFolder } from '#src/cli/data-folder.ts'
import { publish, recordOf } from '#test/support/events.ts'
import { versioned } from '#test/support/read-model-versions.ts'
import { askUntil, Program, run } from './support.ts'

let folder: string
const programs: Program[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-start-'))
})
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const fast = ['--block-seconds', '0.2', '--transactions-per-second', '100', '--accounts', '20', '--nodes', '3']

function start(...args: string[]): Program {
  const program = new Program(['start', '--data', join(folder, 'data'), '--port', '0', ...fast, ...args], {
    cwd: folder,
  })
  programs.push(program)
  return program
}

interface Blocks {
  readonly blocks: readonly { readonly number: number; readonly hash: string }[]
}
interface Transactions {
  readonly transactions: readonly { readonly consensus_timestamp: string }[]
}

const newest = '/api/v1/blocks?limit=1'

async function urlOf(program: Program): Promise<string> {
  const [, url = ''] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
  return url
}

describe('start', () => {
  it('answers every example that it prints, stops cleanly, and goes on where it was', async () => {
    const first = start()
    const url = await urlOf(first)
    await first.printed(/Stop with Ctrl-C/)
    const examples = [...first.out.matchAll(/curl '(\S+)'/g)].map((match) => match[1]!)
    expect(examples).toHaveLength(5)
    await askUntil<Transactions>(`${url}/api/v1/transactions?limit=2`, ({ transactions }) => transactions.length === 2)
    const { blocks } = await askUntil<Blocks>(url + newest, (body) => body.blocks.length === 1)
    for (const example of examples) expect((await fetch(example)).status, example).toBe(200)
    expect((await fetch(`${url}/api/v1/docs`)).status).toBe(200)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('ledger_http_request_duration_seconds')
    expect(metrics).toContain('process_resident_memory_bytes')

    const stopped = await first.stop('SIGINT')
    expect(stopped.code, stopped.err).toBe(0)
    const reached = blocks[0]!.number

    const again = start()
    const urlAgain = await urlOf(again)
    const later = await askUntil<Blocks>(urlAgain + newest, (body) => (body.blocks[0]?.number ?? 0) > reached + 2)
    expect(later.blocks[0]!.number).toBeGreaterThan(reached)
    const before = await askUntil<Blocks>(`${urlAgain}/api/v1/blocks/${reached}`, () => true)
    expect(before).toMatchObject({ hash: blocks[0]!.hash })
    expect((await again.stop('SIGTERM')).code).toBe(0)
  })

  it('goes on after a kill at any moment', async () => {
    const first = start()
    const { blocks } = await askUntil<Blocks>((await urlOf(first)) + newest, (body) => body.blocks.length === 1)
    await first.stop('SIGKILL')
    const again = start()
    const reached = blocks[0]!.number
    await askUntil<Blocks>((await urlOf(again)) + newest, (body) => (body.blocks[0]?.number ?? 0) > reached + 2)
    expect((await again.stop('SIGINT')).code).toBe(0)
  })

  it('works alone: of two begun at nearly the same time one is refused, the other goes on, and so does a later one', async () => {
    const both = [start()]
    await sleep(200)
    both.push(start())
    const refused = await Promise.race(both.map(async (program) => ({ program, ...(await program.finished) })))
    expect(refused.code, refused.err).toBe(75)
    expect(refused.err).toMatch(/data folder \S+ is in use by another "ledger-history start".*\[data_folder_busy\]/)
    const living = both.find((program) => program !== refused.program)!
    const url = await urlOf(living)
    const { blocks } = await askUntil<Blocks>(url + newest, (body) => (body.blocks[0]?.number ?? 0) > 3)
    const stopped = await living.stop('SIGINT')
    expect(stopped.code, stopped.err).toBe(0)
    expect(stopped.err).not.toMatch(/"level":"error"/)
    const again = start()
    const reached = blocks[0]!.number
    await askUntil<Blocks>((await urlOf(again)) + newest, (body) => (body.blocks[0]?.number ?? 0) > reached + 2)
    expect((await again.stop('SIGINT')).code).toBe(0)
  })

  it('ends in order when it is told to while it starts', async () => {
    for (const delayMs of [300, 600, 900]) {
      const program = start()
      await sleep(delayMs)
      const { code, err } = await program.stop('SIGINT')
      expect(code === null || code === 0, `${delayMs} ms: ${code}\n${err}`).toBe(true)
      expect(err).not.toMatch(/"level":"error"|Unexpected/)
    }
  })

  it('is refused on a data folder that another process imports into', async () => {
    const log = openSqliteLog({ folder: openDataFolder(join(folder, 'data'), 'simulated').log })
    await log.openWriter()
    const { code, err } = await start().finished
    await log.close()
    expect(code, err).toBe(75)
    expect(err).toMatch(/log_writer_busy/)
  })

  it('is the sum of parts that run side by side as processes of their own', async () => {
    const simulate = ['network', 'simulate', '--out', 'streams', '--seed', 'parts', '--blocks']
    const launch = (...args: string[]): Program => {
      const program = new Program([...args, '--data', 'data'], { cwd: folder })
      programs.push(program)
      return program
    }
    expect((await run([...simulate, '2'], { cwd: folder })).code).toBe(0)
    const importer = launch('import', 'run', '--source', 'streams')
    await vi.waitFor(() => readFileSync(join(folder, 'data', 'ledger-data.json')), { timeout: 20_000, interval: 100 })
    const projector = launch('project')
    const server = launch('serve', '--port', '0')
    const [, url = ''] = await server.printed(/API of network "streams" at (http:\S+)\/api\/v1/)
    const { blocks } = await askUntil<Blocks>(url + newest, (body) => body.blocks.length === 1)
    expect((await run([...simulate, '3'], { cwd: folder })).out).toMatch(/^Wrote 3 blocks/)
    await askUntil<Blocks>(url + newest, (body) => body.blocks[0]!.number === blocks[0]!.number + 3)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const head = versioned(/ledger_projection_head_position\{projection="blocks",version="N",build="1"\} (\d+)/).exec(
      metrics,
    )?.[1]
    expect(Number(head)).toBeGreaterThan(5)
    expect(metrics).toContain(
      versioned(`ledger_projection_position{projection="blocks",version="N",build="1"} ${head}\n`),
    )
    expect(metrics).toMatch(/^ledger_import_lag_seconds \d/m)
    expect(metrics).not.toMatch(/^ledger_import_blocks_total/m)
    for (const program of [importer, projector, server]) {
      const { code, err } = await program.stop('SIGTERM')
      expect(code, err).toBe(0)
    }
  })

  it('sets a read model aside whose file is damaged, says so, and goes on with the others', async () => {
    const data = join(folder, 'data')
    mkdirSync(join(data, 'store'), { recursive: true })
    writeFileSync(
      join(data, 'store', versioned('blocks@N.sqlite')),
      'this is no database, and long enough to be looked at as one'.repeat(40),
    )
    const program = start()
    const [, url = ''] = await program.printed(/requests begin with (http:\S+)\/api\/v1/)
    const listed = (body: { transactions: unknown[] }): boolean => body.transactions.length > 0
    await askUntil<{ transactions: unknown[] }>(`${url}/api/v1/transactions?limit=1`, listed)
    const { code, err } = await program.stop('SIGINT')
    expect(code, err).toBe(0)
    const line = err.split('\n').find((each) => each.includes('cannot be kept up to date and is set aside')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ level: 'error', projection: 'blocks', err: { code: 'store_damaged' } })
    expect(line).toContain(versioned('blocks@N.sqlite is damaged'))
  })

  it('names a port that is taken, before it touches the data folder', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { code, err } = await run(['start', '--data', 'data', '--port', String(port)], { cwd: folder })
    await new Promise((resolve) => other.close(resolve))
    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`Port ${port} on 127.0.0.1 is taken.*--port.*\\[port_taken\\]`))
    expect(() => readFileSync(join(folder, 'data', 'ledger-data.json'))).toThrow(/ENOENT/)
  })

  it('refuses a data folder of another network and one of a newer version, and changes neither', async () => {
    const marker = join(folder, 'ledger-data.json')
    const log = openSqliteLog({ folder: openDataFolder(folder, 'mainnet').log })
    await publish(log, [recordOf('BlockRecorded', { number: 1n, consensusEnd: 1n })])
    await log.close()
    const cases = [
      {
        content: { format: dataFormat, network: 'mainnet' },
        says: /belongs to the network "mainnet", not to "simulated".*\[data_folder_other_network\]/,
      },
      { content: { format: dataFormat + 1, network: 'simulated' }, says: /newer version.*\[data_folder_newer\]/ },
    ]
    for (const { content, says } of cases) {
      writeFileSync(marker, JSON.stringify(content))
      const { code, err } = await run(['start', '--data', folder, '--port', '0'], { cwd: folder })
      expect(code).toBe(1)
      expect(err).toMatch(says)
      expect(JSON.parse(readFileSync(marker, 'utf8'))).toEqual(content)
    }
  })
})
