import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wordsOf } from '#test/cli/late-mirror.ts'
import { askUntil, type Finished, inherited, Program, root, run } from '#test/cli/support.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

interface Readiness {
  readonly streams: readonly Record<string, unknown>[]
}

const page = readFileSync(join(root, 'docs', 'how-to', 'move-to-block-streams.md'), 'utf8')
/** As a person would copy them, by the section that they are in. */
const commands = new Map(page.split('\n## ').map((section) => [section.split('\n', 1)[0]!, commandsIn(section)]))

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let network: Program
let url: string
/** Nothing outside of this machine is asked, and no port is taken that somebody else may want. */
let env: Record<string, string>

beforeAll(async () => {
  folder = await temporaryFolder()
  env = {
    LEDGER_PORT: '0',
    LEDGER_SIMULATION_BLOCK_NODE_PORTS: String(await freePort()),
    LEDGER_SOURCE_S3_ENDPOINT: 'http://127.0.0.1:1',
  }
})
afterAll(async () => {
  await network?.stop('SIGKILL')
  await folder.remove()
})

function commandsIn(section: string): string[] {
  return [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function of(section: string, count: number): string[] {
  const lines = commands.get(section) ?? []
  expect(lines, section).toHaveLength(count)
  return lines
}

function ledgerHistory(line: string): Promise<Finished> {
  return run(wordsOf(line), { cwd: folder.path, env })
}

async function succeed(line: string): Promise<string> {
  const { code, out, err } = await ledgerHistory(line)
  expect(code, `${line}\n${out}${err}`).toBe(0)
  return out
}

/** What is asked of the API, by a shell. */
async function shell(line: string): Promise<string> {
  const there = line.replace('http://127.0.0.1:5551', url)
  expect(there).not.toBe(line)
  return (await promisify(execFile)('sh', ['-c', there], { env: inherited() })).stdout
}

const streamIs = (fits: (stream: Record<string, unknown>) => boolean) =>
  askUntil<Readiness>(`${url}/health/readiness`, ({ streams }) => streams[0] !== undefined && fits(streams[0]), 90_000)

describe('the how-to for the move to block streams, command by command', () => {
  it('begins with a network that is about to move', { timeout: 120_000 }, async () => {
    const [start = '', ...looks] = of('1. See it happen', 4)
    network = new Program(wordsOf(start), { cwd: folder.path, env })
    ;[, url = ''] = await network.printed(/API +(http:\S+)\/api\/v1\/docs /)
    await streamIs(({ stream }) => stream === 'records')
    const blocks = `${url}/api/v1/blocks?limit=1`
    await askUntil<{ blocks: { number: number }[] }>(blocks, (body) => (body.blocks[0]?.number ?? 0) >= 3, 60_000)
    const [ready = '', status = '', nodes = ''] = looks
    expect(await succeed(ready)).toMatch(/^ok {7}stream setting: cutover, as the importer was started; .*\nReady: /ms)
    expect(await succeed(status)).toMatch(/^ {2}reads record files from .* \(--stream cutover\)$/m)
    expect(await succeed(nodes)).toMatch(/discovered \(registered node 1\)/)
  })

  it('tells what is not prepared for a public network', { timeout: 150_000 }, async () => {
    const [line = ''] = of('2. Check that everything is prepared', 1)
    const { code, out } = await ledgerHistory(line)
    expect(code).toBe(1)
    for (const bucket of ['hedera-testnet-streams-2024-02', 'hedera-testnet-recent-block-streams'])
      expect(out).toContain(bucket)
    expect(out).toMatch(/^fails {4}trust anchor: /m)
  })

  it('shows the changeover', { timeout: 150_000 }, async () => {
    await streamIs(({ why }) => why === 'the log ends with a block of the block stream')
    const [status = '', readiness = '', metrics = '', blocks = '', inspect = ''] = of(
      '4. What happens, and what to watch',
      5,
    )
    expect(await succeed(status)).toMatch(/^latestFile +\d{19}\.blk(\.zstd)?$/m)
    expect(JSON.parse(await shell(readiness))).toMatchObject({ streams: [{ setting: 'cutover', stream: 'blocks' }] })
    const figures = await shell(metrics)
    expect(figures).toMatch(/^ledger_import_stream\{stream="blocks"\} 1$/m)
    expect(figures).toMatch(/^ledger_import_quiet_seconds 0$/m)
    expect(figures).toMatch(/^ledger_block_node_streaming\{/m)
    expect(JSON.parse(await shell(blocks))).toMatchObject({ blocks: [{ name: expect.stringContaining('.blk') }] })
    expect(await succeed(inspect)).toMatch(/^proof +record file: holds$/m)
    expect(network.err).toMatch(/There has been no record file for [89] s; block streams are tried from /)
    expect(network.err).toContain('the network writes blocks now, and the first one continues the last record file')
    const [, ready = ''] = of('1. See it happen', 4)
    expect(await succeed(ready)).toContain('so it has moved already')
  })

  it('goes back, and follows again', { timeout: 240_000 }, async () => {
    const lines = of('5. Go back', 8)
    const [records = '', status = '', cutover = '', project = '', ...others] = lines
    await succeed(records)
    expect(await succeed(status)).toMatch(/^latestFile +\S+\.rcd\.gz$/m)
    await succeed(cutover)
    expect(await succeed(status)).toMatch(/^latestFile +\S+\.blk(\.zstd)?$/m)
    const refused = await ledgerHistory(/^\$ (ledger-history import run .*)$/m.exec(page)![1]!)
    expect(refused.code).toBe(78)
    expect(refused.err).toMatch(
      /The log ends with block \d+ of the block stream, and record files cannot continue it; .* \[config_invalid\]/,
    )
    const [republish = '', rebuild = '', promote = '', follow = ''] = others
    await succeed(project)
    expect(await succeed(republish)).toMatch(/ends before block \d+ of the serving one/)
    await succeed(rebuild)
    await succeed(promote)
    expect(await succeed(status)).toMatch(/^latestFile +\S+\.rcd\.gz$/m)
    await succeed(follow)
    expect(await succeed(status)).toMatch(/^latestFile +\S+\.blk(\.zstd)?$/m)
  })

  it('reads the same history without record files', { timeout: 60_000 }, async () => {
    const [line = ''] = of('Wrapped history', 1)
    expect(await succeed(line)).toMatch(/^Imported \d+ blocks with [\d,]+ transactions; /)
  })

  it('leaves no command untried', () => {
    expect([...commands.values()].flat()).toHaveLength(19)
  })
})
