import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Check } from '#src/cli/importing/ready/check.ts'
import { checkClock } from '#src/cli/importing/ready/clock-check.ts'
import { checkLimits } from '#src/cli/importing/ready/limit-checks.ts'
import { checkReadiness, readyContext } from '#src/cli/importing/ready/ready.ts'
import { checkImporters } from '#src/cli/importing/ready/stream-check.ts'
import { Terminal } from '#src/cli/terminal.ts'
import { loadConfig } from '#src/config/load.ts'
import type { StreamPresence } from '#src/operations/import-presence.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { FolderBlocks } from '#src/simulator/block-node/folder-blocks.ts'
import { type ServedBlocks, serveBlocks } from '#src/simulator/block-node/serve-blocks.ts'
import { Program, run } from '#test/cli/support.ts'
import { type BucketServer, type Refusal, serveBuckets } from '#test/support/bucket-server.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

type Flags = Readonly<Record<string, string>>

/** What a terminal would obey, ends of lines apart. */
const control = /[^\P{C}\n]/u
const escapes = '\u001b[2J\u001b]0;owned\u0007\u202egone'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** Of a network that has moved: record files, then blocks. */
let streams: string
let buckets: BucketServer
let node: ServedBlocks
let settings: Flags

beforeAll(async () => {
  folder = await temporaryFolder()
  streams = join(folder.path, 'streams')
  const small = ['--block-seconds', '1', '--transactions-per-second', '10', '--accounts', '10', '--nodes', '2']
  const moves = ['--stream', 'cutover', '--cutover-seconds', '4']
  const made = await run(['network', 'simulate', '--out', streams, '--blocks', '9', ...small, ...moves])
  expect(made.code, made.err).toBe(0)
}, 60_000)
afterAll(() => folder.remove())

beforeEach(async () => {
  buckets = await serveBuckets({ records: streams, blocks: streams })
  node = await serveBlocks({ store: new FolderBlocks(streams, 'simulated'), host: '127.0.0.1', port: 0 })
  settings = {
    data: join(folder.path, 'data'),
    network: 'simulated',
    stream: 'cutover',
    source: 's3://records',
    'block-source': 's3://blocks',
    'source-s3-endpoint': buckets.endpoint,
    'source-s3-access-key': 'key',
    'source-s3-secret-key': 'hush-hush',
    'block-nodes': `127.0.0.1:${node.port}`,
    'address-book': join(streams, 'address-book.bin'),
    'ledger-publication': join(streams, 'ledger-publication.bin'),
    'block-message-mib-max': '125',
  }
})
afterEach(async () => {
  await Promise.all([buckets.close(), node.close()])
})

async function checksOf(flags: Flags, trialMsMax?: number): Promise<Map<string, Check>> {
  const loaded = loadConfig({ flags, environment: {}, file: undefined })
  const terminal = new Terminal({ out: process.stdout, err: process.stderr, format: 'json', colours: false })
  const { signal } = new AbortController()
  const verb = { config: loaded.config, loaded, terminal, logger: silentLogger, signal, outcome: {} }
  const checks = new Map<string, Check>()
  for await (const check of checkReadiness(await readyContext(verb), trialMsMax)) checks.set(check.name, check)
  return checks
}

const without = (...names: string[]): Flags =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))

const bad = (checks: Map<string, Check>): string[] =>
  [...checks.values()].filter(({ status }) => status !== 'ok').map(({ name }) => name)

const nodeName = (): string => `block node 127.0.0.1:${node.port}`

describe('import ready', () => {
  it('is ready where all holds, says what was tried, and ends with 0', async () => {
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const { code, out, err } = await run(['import', 'ready', ...args])
    expect({ code, err }, out).toEqual({ code: 0, err: '' })
    const lines = out.trimEnd().split('\n')
    expect(lines.at(-1)).toBe('Ready: all of it holds')
    expect(lines.slice(0, -1).every((line) => line.startsWith('ok       '))).toBe(true)
    expect(out).toContain('record files: http')
    expect(out).toMatch(/^ok {7}block files: http\S+\/blocks lists, and reads simulated\/block\//m)
    expect(out).toMatch(/^ok {7}block node \S+: it has 0 to 8, without TLS, and answers in \d+ ms$/m)
    expect(out).toMatch(/^ok {7}trust anchor: ledger [0-9a-f]{64}, /m)
    expect(out).toMatch(/^ok {7}block 8: of \S+, a signature proof: it holds$/m)
    expect(out).toMatch(/^ok {7}clock: right by the answers of the bucket$/m)
    expect([...buckets.asked].sort()).toEqual([
      'blocks get signed requester',
      'blocks list signed requester',
      'records get signed requester',
      'records list signed requester',
    ])
    expect(out).not.toContain('hush-hush')
  })

  it('names the project that pays at the other provider', async () => {
    expect(bad(await checksOf({ ...settings, 'source-s3-billing-project': 'project' }))).toEqual([])
    expect(buckets.asked).toContain('blocks get signed project')
  })

  it('tells programs the same, and ends with 1 where one thing does not hold', async () => {
    buckets.refusals.set('blocks', { status: 403, code: 'AccessDenied' })
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const { code, out } = await run(['import', 'ready', '--json', ...args])
    expect(code).toBe(1)
    const report = JSON.parse(out) as { ready: boolean; network: string; checks: Check[] }
    expect(report).toMatchObject({ ready: false, network: 'simulated' })
    expect(report.checks.filter(({ status }) => status !== 'ok')).toMatchObject([
      { name: 'block files', status: 'fails', reason: 'denied' },
    ])
    const people = await run(['import', 'ready', ...args])
    expect(people.out).toMatch(/^fails {4}block files: .*allow listing and reading/m)
    expect(people.out).toMatch(/\nNot ready: 1 of \d+ do not hold, 0 cannot be told now\n$/)
  })

  it('ends at Ctrl-C without a verdict', async () => {
    buckets.silent = true
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const program = new Program(['import', 'ready', ...args])
    await program.printed(/address book/)
    const { code, out } = await program.stop('SIGINT')
    expect({ code, out }).toEqual({ code: 75, out: expect.not.stringMatching(/eady: /) })
  })
})

const refusals: [string, Refusal, string][] = [
  ['denied', { status: 403, code: 'AccessDenied' }, 'allow listing and reading'],
  ['denied', { status: 403, code: 'AccessDenied', only: 'get' }, 'allow listing and reading'],
  ['credentials', { status: 403, code: 'InvalidAccessKeyId' }, '--source-s3-access-key'],
  ['no_bucket', { status: 404, code: 'NoSuchBucket' }, 'check the name'],
  [
    'requester_pays',
    { status: 400, code: 'UserProjectMissing', message: 'Bucket is a requester pays bucket' },
    '--source-s3-billing-project',
  ],
  ['region', { status: 400, code: 'AuthorizationHeaderMalformed' }, '--source-s3-region'],
  ['clock', { status: 403, code: 'RequestTimeTooSkewed' }, 'NTP'],
]

describe.each([
  ['records', 'record files'],
  ['blocks', 'block files'],
])('the bucket of %s', (bucket, name) => {
  it.each(refusals)('that refuses is told as %s: %o', async (reason, refusal, step) => {
    buckets.refusals.set(bucket, refusal)
    const checks = await checksOf(settings)
    expect(bad(checks)).toEqual([name])
    expect(checks.get(name)).toMatchObject({ status: 'fails', reason, value: expect.stringContaining(step) })
  })

  it('that takes nobody without a key asks for one', async () => {
    buckets.refusals.set(bucket, { status: 403, code: 'AccessDenied' })
    const checks = await checksOf(without('source-s3-access-key', 'source-s3-secret-key'))
    expect(checks.get(name)).toMatchObject({ status: 'fails', reason: 'anonymous' })
  })
})

describe('buckets', () => {
  it.each([
    ['an error', { status: 403, code: `Access${escapes}`, message: escapes }],
    ['a name', undefined],
  ])(
    'that write escapes into %s are told without them',
    async (_, refusal?: Refusal) => {
      const named = join(folder.path, 'named')
      const nodeFolder = join(named, 'recordstreams', `record0.0.3${escapes}`)
      mkdirSync(nodeFolder, { recursive: true })
      writeFileSync(join(nodeFolder, `2023-11-14T22_13_20.1Z${escapes}.rcd_sig`), 'x')
      const hostile = await serveBuckets({ records: named, blocks: named })
      if (refusal !== undefined) hostile.refusals.set('records', refusal)
      const flags = Object.entries({ ...settings, 'source-s3-endpoint': hostile.endpoint }).flatMap(([name, value]) => [
        `--${name}`,
        value,
      ])
      for (const form of [[], ['--json']]) {
        const { out, err } = await run(['import', 'ready', ...flags, ...form])
        expect(out).toContain('record files')
        expect(out).toContain('owned')
        expect(out + err).not.toMatch(control)
      }
      await hostile.close()
    },
    60_000,
  )

  it('that answer nothing cost a bounded time', async () => {
    buckets.silent = true
    const began = performance.now()
    const checks = await checksOf({ ...settings, 'source-s3-timeout-ms': '100' })
    expect(performance.now() - began).toBeLessThan(15_000)
    for (const name of ['record files', 'block files'])
      expect(checks.get(name)).toMatchObject({ status: 'fails', reason: 'timeout' })
  })

  it('that are slow have one time for all that is asked of them', async () => {
    buckets.silent = true
    const checks = await checksOf(settings, 300)
    for (const name of ['record files', 'block files'])
      expect(checks.get(name)).toMatchObject({
        status: 'fails',
        reason: 'timeout',
        value: expect.stringContaining('not answered wholly within 300 ms'),
      })
  })

  it('of another network, or with nothing in it yet, are no reason to be content', async () => {
    const checks = await checksOf({ ...settings, network: 'other' })
    expect(checks.get('block files')).toMatchObject({
      status: 'unknown',
      value: expect.stringContaining('holds no blocks of the network "other" yet'),
    })
    const empty = join(folder.path, 'empty')
    mkdirSync(empty, { recursive: true })
    const none = await checksOf({ ...settings, source: empty })
    expect(none.get('record files')).toMatchObject({
      status: 'fails',
      value: expect.stringContaining('holds no record files'),
    })
  })

  it('of blocks alone are not taken for record files', async () => {
    const only = join(folder.path, 'only-blocks')
    cpSync(join(streams, 'simulated'), join(only, 'simulated'), { recursive: true })
    const checks = await checksOf({ ...settings, source: only })
    expect(checks.get('record files')).toMatchObject({ status: 'fails' })
    const blocks = await checksOf({ ...settings, source: only, stream: 'blocks' })
    expect(blocks.get('record files')).toMatchObject({ status: 'ok', value: 'not needed: blocks alone are read' })
  })

  it('are folders as well', async () => {
    const checks = await checksOf({ ...settings, source: streams, 'block-source': streams })
    expect(bad(checks)).toEqual(['clock'])
    expect(checks.get('clock')).toMatchObject({ status: 'unknown', value: expect.stringMatching(/ s old by it$/) })
  })

  it('that are not named, without nodes, leave nothing to read blocks from', async () => {
    const checks = await checksOf(without('block-nodes', 'block-source'))
    expect(checks.get('block files')).toMatchObject({ status: 'ok' })
    expect(checks.get('block nodes')).toMatchObject({ status: 'fails', step: expect.stringContaining('--block-nodes') })
    const wanted = await checksOf({ ...without('block-nodes', 'block-source'), 'blocks-from': 'bucket' })
    expect(wanted.get('block files')).toMatchObject({
      status: 'fails',
      step: expect.stringContaining('--block-source'),
    })
  })
})

describe('block nodes', () => {
  const fresh = (): Flags => ({ ...settings, stream: 'blocks' })

  it('have to answer', async () => {
    await node.close()
    const checks = await checksOf(settings)
    expect(bad(checks)).toEqual([nodeName()])
    expect(checks.get(nodeName())).toMatchObject({ status: 'fails', reason: 'unreachable' })
  })

  it('have to answer in time', async () => {
    node.faults.statusDelayMs = 300
    const slow = await checksOf({ ...settings, 'blocks-status-timeout-ms': '100' })
    expect(slow.get(nodeName())).toMatchObject({
      status: 'fails',
      step: expect.stringContaining('--blocks-status-timeout-ms'),
    })
    node.faults.dead = true
    const dead = await checksOf({ ...settings, 'blocks-connect-timeout-ms': '200' })
    expect(dead.get(nodeName())).toMatchObject({
      status: 'fails',
      reason: expect.stringMatching(/timeout|unreachable/),
    })
    const late = await checksOf(settings, 300)
    expect(late.get('block nodes')).toMatchObject({ status: 'fails', reason: 'timeout' })
  })

  it('have to have what is next', async () => {
    expect((await checksOf(fresh())).get(nodeName())?.value).toContain('block 0 is next')
    const near = await checksOf({ ...fresh(), 'start-block-number': '12' })
    expect(near.get(nodeName())).toMatchObject({ status: 'ok', value: expect.stringContaining('is 3 ahead of it') })
    const far = await checksOf({ ...fresh(), 'start-block-number': '100' })
    expect(far.get(nodeName())).toMatchObject({ status: 'fails', value: expect.stringContaining('the log is ahead') })
    const late = join(folder.path, 'late')
    cpSync(streams, late, { recursive: true })
    for (const number of [0, 1, 2])
      rmSync(join(late, 'simulated/block/0000/0000/0000/0000', `00${number}.blk.zstd`), { force: true })
    const one = await serveBlocks({ store: new FolderBlocks(late, 'simulated'), host: '127.0.0.1', port: 0 })
    const checks = await checksOf({ ...fresh(), 'block-nodes': `127.0.0.1:${one.port}` })
    await one.close()
    expect(checks.get(`block node 127.0.0.1:${one.port}`)).toMatchObject({
      status: 'fails',
      value: expect.stringContaining('not block 0'),
      step: expect.stringContaining('--start-block-number'),
    })
  })

  it('without any block yet leave it open', async () => {
    const store = { range: () => undefined, read: () => undefined, changed: async () => {} }
    const one = await serveBlocks({ store, host: '127.0.0.1', port: 0 })
    const checks = await checksOf({ ...settings, 'block-nodes': `127.0.0.1:${one.port}` })
    await one.close()
    expect(checks.get(`block node 127.0.0.1:${one.port}`)).toMatchObject({ status: 'unknown' })
  })

  it('that lie are found out', async () => {
    node.faults.at(8n, { kind: 'lie' })
    const checks = await checksOf(settings)
    expect(bad(checks)).toEqual(['block 8'])
    expect(checks.get('block 8')).toMatchObject({ status: 'fails', step: expect.stringContaining('another source') })
  })

  it('that say what they have and do not give it are found out', async () => {
    node.faults.at(8n, { kind: 'large_message', bytes: 5 << 20 })
    const large = await checksOf({ ...settings, 'block-message-mib-max': '4' })
    expect(large.get('blocks of block nodes')).toMatchObject({ status: 'fails', reason: 'too_large' })
    node.faults.at(8n, { kind: 'fail', code: 7, text: 'not for you' })
    const refused = await checksOf(settings)
    expect(refused.get('blocks of block nodes')).toMatchObject({ status: 'fails', reason: 'refused' })
  })

  it('are not asked where blocks come from a bucket', async () => {
    await node.close()
    const checks = await checksOf({ ...settings, 'blocks-from': 'bucket' })
    expect(bad(checks)).toEqual([])
  })
})

describe('whom to believe', () => {
  it('has to be known, and blocks have to hold by it', async () => {
    const checks = await checksOf(without('ledger-publication'))
    expect(checks.get('trust anchor')).toMatchObject({
      status: 'fails',
      step: expect.stringContaining('--ledger-publication'),
    })
    expect(checks.get('block 8')).toMatchObject({ status: 'fails' })
    const file = join(folder.path, 'garbage.bin')
    writeFileSync(file, 'garbage')
    const garbage = await checksOf({ ...settings, 'ledger-publication': file })
    expect(garbage.get('trust anchor')).toMatchObject({ status: 'fails', value: expect.stringContaining(file) })
  })

  it('comes with block 0 where that is next', async () => {
    const flags = { ...without('ledger-publication', 'source', 'address-book', 'block-source'), source: 'none' }
    const data = join(folder.path, 'blocks-only')
    const made = ['network', 'simulate', '--out', data, '--blocks', '3', '--stream', 'blocks', '--accounts', '10']
    await run(made)
    const one = await serveBlocks({ store: new FolderBlocks(data, 'simulated'), host: '127.0.0.1', port: 0 })
    const checks = await checksOf({ ...flags, 'block-nodes': `127.0.0.1:${one.port}`, stream: 'blocks' })
    await one.close()
    expect(bad(checks)).toEqual(['clock'])
    expect(checks.get('trust anchor')?.value).toBe('block 0, which comes next, brings it')
    expect([...checks.keys()]).toEqual(expect.arrayContaining(['block 0', 'block 2']))
  })

  it('about record files is the address book', async () => {
    const checks = await checksOf(without('address-book'))
    expect(checks.get('address book')).toMatchObject({
      status: 'fails',
      step: expect.stringContaining('--address-book'),
    })
    expect((await checksOf({ ...without('address-book'), stream: 'blocks' })).get('address book')?.status).toBe('ok')
  })
})

describe('settings', () => {
  it('have to follow the network', async () => {
    expect((await checksOf({ ...settings, stream: 'records' })).get('stream setting')).toMatchObject({
      status: 'fails',
      step: expect.stringContaining('--stream cutover'),
    })
  })

  it('take messages and blocks as large as the network may send them, or say where larger ones come from', async () => {
    const defaults = without('block-message-mib-max')
    const auto = await checksOf(defaults)
    expect(auto.get('message limit')?.value).toMatch(/^36 MiB; .* up to 125, and .* comes from the bucket$/)
    const nodes = await checksOf({ ...defaults, 'blocks-from': 'nodes', 'block-mib-max': '64' })
    expect(nodes.get('message limit')).toMatchObject({
      status: 'fails',
      step: 'raise it with --block-message-mib-max 125',
    })
    expect(nodes.get('block limit')).toMatchObject({ status: 'fails', step: 'raise it with --block-mib-max 128' })
    const enough = { 'block-message-mib-max': '125', 'block-mib-max': '128' }
    expect(bad(await checksOf({ ...defaults, 'blocks-from': 'nodes', ...enough }))).toEqual([])
  })

  it('need memory for what they take', () => {
    const { config } = loadConfig({ flags: {}, environment: {}, file: undefined })
    const found = { times: [], blocks: [], nodes: [], bucketReads: true }
    const memory = (mebibytes: number) =>
      checkLimits({ config, found }, mebibytes * 1024 * 1024).find(({ name }) => name === 'memory')?.status
    expect([memory(675), memory(676)]).toEqual(['fails', 'ok'])
  })

  it('that contradict each other end it', async () => {
    const contradiction = ['--source', 'none', '--stream', 'cutover', '--network', 'own']
    // In a folder of its own: where somebody has run the product, there is a deployment of another network.
    const { code, err } = await run(['import', 'ready', ...contradiction], { cwd: folder.path })
    expect(code).toBe(78)
    expect(err).toMatch(/\[config_invalid\]/)
  })
})

describe('importers that run', () => {
  const stream: StreamPresence = {
    setting: 'cutover',
    stream: 'records',
    source: 'files',
    from: 'a',
    since: 'b',
    why: 'c',
  }
  const importer = (imports: object): Check[] => {
    const process = { host: 'h', pid: 1, codeVersion: '0.1.0', imports } as unknown as PresentProcess
    return checkImporters({
      facts: { importers: [process] } as unknown as Parameters<typeof checkImporters>[0]['facts'],
    })
  }

  it('have to go on, to follow the network, and to say so', () => {
    expect(importer({ stream })).toMatchObject([{ status: 'ok' }])
    expect(importer({ stream, problem: 'the disk is full' })).toMatchObject([
      { status: 'fails', value: expect.stringContaining('the disk is full') },
    ])
    expect(importer({ stream: { ...stream, setting: 'records' } })).toMatchObject([
      { status: 'fails', step: 'restart it with --stream cutover' },
    ])
    expect(importer({})).toMatchObject([{ status: 'unknown' }])
    expect(importer({ standby: true })).toEqual([])
  })
})

describe('the clock', () => {
  it.each([
    [60_000, 'slow'],
    [-60_000, 'fast'],
  ])('is held against that of the bucket: %i ms', async (aheadMs, how) => {
    buckets.aheadMs = aheadMs
    expect((await checksOf(settings)).get('clock')).toMatchObject({
      status: 'fails',
      // Services tell whole seconds.
      value: expect.stringMatching(new RegExp(`^(?:59|60|61) s ${how} by the answers of the bucket$`)),
      step: expect.stringContaining('NTP'),
    })
  })

  it('is held against the newest block where there is no bucket, as far as that tells', () => {
    const at = (age: number) => {
      const lastBlock = { time: BigInt(1_700_000_000_000 - age) * 1_000_000n }
      const context = {
        found: { times: [], blocks: [], nodes: [], bucketReads: false },
        facts: { state: { lastBlock } },
      }
      return checkClock(context as unknown as Parameters<typeof checkClock>[0], 1_700_000_000_000).status
    }
    expect([at(2_000), at(-20_000), at(3_600_000)]).toEqual(['ok', 'fails', 'unknown'])
  })
})
