import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { askUntil, Program, run } from './support.ts'

const fast = ['--block-seconds', '0.5', '--transactions-per-second', '20', '--accounts', '20', '--nodes', '2']

interface Readiness {
  readonly streams: readonly Record<string, unknown>[]
  readonly errors: readonly string[]
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const programs: Program[] = []
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(async () => {
  for (const program of programs) await program.stop('SIGKILL')
  await folder.remove()
})

/** Ports that nobody listens on, as far as one can know. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports
}

async function start(data: string, ...args: string[]): Promise<{ program: Program; url: string }> {
  const program = new Program(['start', '--data', data, '--port', '0', ...fast, ...args], { cwd: folder.path })
  programs.push(program)
  const [, url = ''] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
  return { program, url }
}

const verb = (...args: string[]) => run(['import', ...args], { cwd: folder.path })
const readiness = (url: string) => `${url}/health/readiness`

describe('a simulated network of two block nodes', () => {
  it('is followed by the nodes that it registers, and all who tell of them agree', { timeout: 90_000 }, async () => {
    const ports = await freePorts(2)
    const names = ports.map((port) => `127.0.0.1:${port}`)
    const { program, url } = await start('blocks', '--stream', 'blocks', '--block-node-ports', ports.join(','))
    const { streams } = await askUntil<Readiness>(readiness(url), (body) =>
      String(body.streams[0]?.['from']).startsWith('block node '),
    )
    expect(streams).toMatchObject([{ setting: 'blocks', stream: 'blocks', source: 'nodes', why: 'as set' }])

    const shown = JSON.parse((await verb('nodes', '--data', 'blocks', '--json')).out) as {
      known: number
      nodes: {
        name: string
        origin: string
        ranges: { first: number; last: number }[]
        importers: { streaming: boolean }[]
      }[]
    }
    expect(shown).toMatchObject({ known: 2, importers: 1 })
    expect(shown.nodes.map(({ name }) => name).sort()).toEqual(names.toSorted())
    for (const node of shown.nodes)
      expect(node).toMatchObject({ origin: 'discovered', error: null, ranges: [{ first: 0 }], importers: [{}] })
    expect(shown.nodes.filter(({ importers }) => importers[0]?.streaming)).toHaveLength(1)

    const metrics = await (await fetch(`${url}/metrics`)).text()
    for (const [index, name] of names.entries())
      expect(metrics).toContain(
        `ledger_block_node_info{node="${name}",origin="discovered",registered_node="${index + 1}",priority="0",tls="false"} 1\n`,
      )
    expect(metrics).toContain('ledger_import_stream{stream="blocks"} 1\n')
    expect(metrics).toContain('ledger_import_quiet_seconds 0\n')

    const { out } = await verb('status', '--data', 'blocks')
    expect(out).toMatch(
      /^ {2}reads block streams from block node 127\.0\.0\.1:\d+ since \S+Z: as set \(--stream blocks\)$/m,
    )
    expect(out).toMatch(/^ {2}knows 2 block nodes: 0 configured, 2 discovered, 0 set aside; /m)

    expect((await program.stop('SIGTERM')).code).toBe(0)
    const alone = await verb(
      'nodes',
      '--data',
      'blocks',
      '--block-nodes',
      `${names[0]!.replace(/\d+$/, '1')}?priority=2`,
    )
    expect(alone).toMatchObject({ code: 0, err: '' })
    expect(alone.out).toMatch(
      new RegExp(
        `^${names[0]} {2}discovered \\(registered node 1\\) {2}priority 0 {2}no TLS\n {2}fails \\(unreachable\\): `,
        'm',
      ),
    )
    expect(alone.out).toMatch(/^127\.0\.0\.1:1 {2}configured {2}priority 2 {2}no TLS$/m)
    expect(alone.out).toMatch(/^no process imports$/m)
  })
})

describe('a simulated network that changes over', () => {
  it('is told with what is read, since when, why and what is waited for', { timeout: 90_000 }, async () => {
    const ports = await freePorts(1)
    const change = ['--stream', 'cutover', '--cutover-seconds', '3', '--cutover-threshold-ms', '8000']
    const { program, url } = await start('cutover', ...change, '--block-node-ports', ports.join(','))
    const before = await askUntil<Readiness>(readiness(url), (body) => body.streams[0]?.['waitsFor'] !== undefined)
    expect(before.streams).toMatchObject([
      { setting: 'cutover', stream: 'records', source: 'files', waitsFor: '8 s without anything new' },
    ])
    const after = await askUntil<Readiness>(readiness(url), (body) => body.streams[0]?.['stream'] === 'blocks', 40_000)
    expect(after.streams).toMatchObject([{ why: expect.stringMatching(/^no record file for [89] s$/) }])
    await askUntil<Readiness>(readiness(url), ({ streams, errors }) => {
      const [{ why, quietSince } = {}] = streams
      return why === 'the log ends with a block of the block stream' && quietSince === undefined && errors.length === 0
    })
    const stopped = await program.stop('SIGTERM')
    expect(stopped.code).toBe(0)
    expect(stopped.err).toMatch(/There has been no record file for [89] s; block streams are tried from .*import ready/)
  })
})

describe('import nodes without any import', () => {
  it('shows what is configured, or says how to name one', async () => {
    const none = await verb('nodes', '--data', 'nothing')
    expect(none).toMatchObject({ code: 0, out: expect.stringMatching(/^No block node is configured.*--block-nodes/) })
    const [port] = await freePorts(1)
    const one = await verb('nodes', '--data', 'nothing', '--block-nodes', `127.0.0.1:${port}`, '--json')
    expect(JSON.parse(one.out)).toMatchObject({
      known: 1,
      importers: 0,
      nodes: [{ origin: 'configured', ranges: null, error: { reason: 'unreachable' }, importers: [] }],
    })
  })
})
