import { afterEach, beforeEach, expect, it } from 'vitest'
import { keccak256 } from '#src/domain/keccak.ts'
import { chain, checksummed, VerificationFixture } from '#test/verification/fixture.ts'

let fixture: VerificationFixture
beforeEach(async () => {
  fixture = await new VerificationFixture().begin()
})
afterEach(() => fixture.end())

const hashOf = (text: string) => `0x${keccak256(Buffer.from(text)).toString('hex')}`
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['set-cookie']).split(';')[0]!

function metadataOf(name: string, source: string): string {
  const settings = { compilationTarget: { [`${name}.sol`]: name } }
  const sources = { [`${name}.sol`]: { keccak256: hashOf(source) } }
  return JSON.stringify({ compiler: { version: '0.8.30+commit.73712a01' }, language: 'Solidity', settings, sources })
}

async function give(files: object, headers: Record<string, string> = {}) {
  return fixture.post('/session/input-files', { files }, headers)
}

interface Contract {
  readonly name: string
  readonly verificationId: string
  readonly status: string
  readonly statusMessage?: string
}

async function check(contracts: readonly Contract[], cookie: string, query = '') {
  const named = contracts.map(({ verificationId }) => ({ verificationId, address: checksummed, chainId: chain }))
  return fixture.post(`/session/verify-checked${query}`, { contracts: named }, { cookie })
}

const told = (contracts: readonly Contract[]) => contracts.map(({ status, statusMessage }) => [status, statusMessage])

it('says of each contract what kept it from a match, and verifies the others', async () => {
  const sources = { good: 'partial', bad: 'syntax error', other: 'differs' }
  const files = Object.entries(sources).flatMap(([name, source]) => [
    [`${name}.json`, metadataOf(name, source)],
    [`${name}.sol`, source],
  ])
  const given = await give({ ...Object.fromEntries(files), 'lacking.json': metadataOf('lacking', 'not here') })
  const { contracts } = given.body
  for (const query of ['?dryrun=true', '']) {
    const { body } = await check(contracts, cookieOf(given), query)
    expect(told(body.contracts)).toEqual([
      ['partial', undefined],
      ['error', 'Compiler error: ["bad"]'],
      ['error', 'The code differs'],
      ['error', expect.stringContaining('"lacking.sol"')],
    ])
  }
})

it('takes what a build tool writes for the metadata and the sources in it', async () => {
  const input = { language: 'Solidity', sources: { 'A.sol': { content: 'perfect' }, 'B.sol': { content: 'partial' } } }
  const contracts = { 'A.sol': { A: { metadata: metadataOf('A', 'perfect') }, I: { metadata: '' } } }
  const output = { contracts: { ...contracts, 'B.sol': { B: { metadata: metadataOf('B', 'partial') } } } }
  const given = await give({ 'build-info.json': JSON.stringify({ solcVersion: '0.8.30', input, output }) })
  expect(given.body.contracts.map(({ name }: Contract) => name)).toEqual(['A', 'B'])
  const apart = await give({ 'in.json': JSON.stringify({ input }), 'out.json': JSON.stringify({ output }) })
  expect(apart.body).toEqual(given.body)

  const files = { 'build-info.json': { input, output } }
  const named = { address: checksummed, chain, files }
  const unsaid = await fixture.post('/verify', named)
  expect([unsaid.status, unsaid.body.contractsToChoose]).toEqual([
    400,
    [
      { name: 'A', path: 'A.sol' },
      { name: 'B', path: 'B.sol' },
    ],
  ])
  for (const chosenContract of [1, '1', 'B', 'B.sol:B']) {
    const { status, body } = await fixture.post('/server', { ...named, chosenContract })
    expect([status, body.result[0].contractName]).toEqual([200, 'B'])
  }
  expect((await fixture.post('/verify', { ...named, chosenContract: '2' })).status).toBe(400)
})

it('keeps a file once, and joins what comes later', async () => {
  const first = await give({ 'A.json': metadataOf('A', 'perfect') })
  const cookie = cookieOf(first)
  expect(first.body.contracts[0].files).toEqual({ found: [], missing: ['A.sol'] })
  await give({ 'A.sol': 'perfect' }, { cookie })
  const { body } = await give({ 'other/A.sol': 'perfect', 'A2.json': metadataOf('A', 'perfect') }, { cookie })
  expect(body).toMatchObject({ files: ['A.json', 'A.sol'], unused: [] })
  expect(body.contracts.map((each: { files: object }) => each.files)).toEqual([{ found: ['A.sol'], missing: [] }])
})

it('leaves no text behind when a session is cleared or over', async () => {
  const kept = async () => (await fixture.control.list('verification-text/')).length
  const files = { 'A.json': metadataOf('A', 'perfect'), 'A.sol': 'perfect' }
  const cookie = cookieOf(await give(files))
  expect(await kept()).toBe(2)
  await fixture.post('/session/clear', '', { cookie })
  expect(await kept()).toBe(0)
  const second = cookieOf(await give(files))
  await give({ 'A.sol': 'another' })
  expect(await kept()).toBe(3)
  fixture.time += 43_201_000
  expect((await fixture.get('/session/data', { cookie: second })).body.files).toEqual([])
  expect(await kept()).toBe(1)
  await give({ 'A.sol': 'a third' })
  expect(await kept()).toBe(1)
})

it('holds so many bytes of files, and not one of those that were too many', async () => {
  await fixture.end()
  fixture = await new VerificationFixture({ settings: { sessionBytesMax: 1_000 } }).begin()
  const first = await give({ 'a.sol': 'x'.repeat(900) })
  const cookie = cookieOf(first)
  const { status, body } = await give({ 'b.sol': 'y'.repeat(101) }, { cookie })
  expect([status, body.error]).toEqual([413, 'Too much session memory used. Delete some files or clear the session.'])
  expect((await fixture.get('/session/data', { cookie })).body.files).toEqual(['a.sol'])
  expect(await fixture.control.list('verification-text/')).toHaveLength(1)
  expect((await give({ 'a.sol': 'x'.repeat(900) }, { cookie })).status).toBe(200)
})

it('has room for so many sessions, and writes nothing of one more until another is over', async () => {
  const session = { contracts: [], unused: [], files: [], given: {}, bytes: 0, expires: fixture.time + 1_000 }
  const text = JSON.stringify(session)
  for (let count = 0; count < 10_000; count++) await fixture.control.put(`verification-session/${count}`, text, 0)
  const { status, body } = await give({ 'a.sol': 'x' })
  expect([status, body.code]).toEqual([503, 'overloaded'])
  expect(await fixture.control.list('verification-text/')).toEqual([])
  fixture.time += 1_001
  expect((await give({ 'a.sol': 'x' })).status).toBe(200)
})

it('refuses what it cannot read, and pages of origins that it does not know', async () => {
  const none = await fixture.post('/session/verify-checked', { contracts: [] })
  expect([none.status, none.body.error]).toEqual([400, 'There are currently no pending contracts.'])
  const cookie = cookieOf(await give({ 'A.json': metadataOf('A', 'perfect') }))
  const malformed = await fixture.post('/session/verify-checked', { contracts: [{ verificationId: 1 }] }, { cookie })
  expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, '/body/contracts/0/verificationId'])
  expect((await fixture.post('/session/verify-checked', { contracts: 'x' }, { cookie })).status).toBe(400)
  expect((await give([])).status).toBe(400)
  const fetched = await fixture.post('/session/input-files?url=http://127.0.0.1/', { files: {} })
  expect([fetched.status, fetched.body.message]).toEqual([400, "Unknown query parameter 'url'"])
  expect((await give({}, { origin: 'https://evil.example' })).status).toBe(403)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fixture.post('/session/input-files', 'files=x', form)).status).toBe(415)
})

it('ends a trial that takes longer than a request waits, and tries no more contracts then', async () => {
  await fixture.end()
  const verify = async (_input: unknown, _code: unknown, signal: AbortSignal) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    throw new Error('not reached')
  }
  fixture = await new VerificationFixture({ settings: { waitMs: 20 }, service: { verify } }).begin()
  const files = { 'A.json': metadataOf('A', 'perfect'), 'A.sol': 'perfect', 'B.json': metadataOf('B', 'perfect') }
  const given = await give(files)
  const { body } = await check(given.body.contracts, cookieOf(given), '?dryrun')
  expect(told(body.contracts)).toEqual([
    ['error', expect.stringContaining('longer than 20 ms')],
    ['error', expect.stringContaining('ask for it again')],
  ])
  expect(fixture.service.running).toBe(0)
})
