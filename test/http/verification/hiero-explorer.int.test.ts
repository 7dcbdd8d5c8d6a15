import { afterEach, beforeEach, expect, it } from 'vitest'
import { keccak256 } from '#src/domain/keccak.ts'
import { chain, checksummed, evmAddress, VerificationFixture } from '#test/verification/fixture.ts'

/**
 * What the Hiero explorer sends, of each of its generations: the dialog in which somebody verifies a contract (2022 to 2025), the lookups of
 * the same years, and those of the newer API (2026). The server is set as `https://host/server/`.
 */
let fixture: VerificationFixture
beforeEach(async () => {
  fixture = await new VerificationFixture().begin()
})
afterEach(() => fixture.end())

const page = { origin: 'https://page.example', accept: 'application/json, text/plain, */*' }
const source = 'contract A {} // perfect'
const hashOf = (text: string) => `0x${keccak256(Buffer.from(text)).toString('hex')}`
const abi = [{ type: 'function', name: 'a', inputs: [], outputs: [], stateMutability: 'view' }]
const metadata = JSON.stringify({
  compiler: { version: '0.8.30+commit.73712a01' },
  language: 'Solidity',
  output: { abi, devdoc: {}, userdoc: {} },
  settings: { compilationTarget: { 'contracts/A.sol': 'A' }, evmVersion: 'paris', libraries: {}, remappings: [] },
  sources: { 'contracts/A.sol': { keccak256: hashOf(source), urls: [] } },
})
/** The cookie of the page, as its browser keeps it. */
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['set-cookie']).split(';')[0]!
const untouched = { files: { found: [], missing: ['contracts/A.sol'] }, status: 'error' }

it('verifies from its dialog: begins anew, adds files, tries, and verifies', async () => {
  // A post without a body, of the type that its client names then.
  const cleared = await fixture.post('/server/session/clear', '', {
    ...page,
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([cleared.status, cleared.text]).toEqual([200, 'Session successfully cleared'])
  expect(cleared.headers).toMatchObject({
    'access-control-allow-origin': page.origin,
    'access-control-allow-credentials': 'true',
  })

  const first = await fixture.post('/server/session/input-files?dryrun=true', { files: { 'm.json': metadata } }, page)
  expect(first.body).toMatchObject({ contracts: [untouched], files: ['m.json'], unused: [] })
  const session = { ...page, cookie: cookieOf(first) }
  const files = { 'm.json': metadata, 'A.sol': source, 'README.md': 'other' }
  const input = await fixture.post('/server/session/input-files?dryrun=true', { files }, session)
  const named = { compiledPath: 'contracts/A.sol', name: 'A', compilerVersion: '0.8.30+commit.73712a01' }
  const verificationId = expect.stringMatching(/^0x[0-9a-f]{64}$/)
  const found = { verificationId, ...named, files: { found: ['contracts/A.sol'], missing: [] } }
  expect(input.body).toEqual({
    contracts: [{ ...found, status: 'error' }],
    files: ['m.json', 'A.sol', 'README.md'],
    unused: ['README.md'],
  })

  const [contract] = input.body.contracts
  const entry = { address: `0x${evmAddress}`, chainId: chain, verificationId: contract.verificationId }
  const contracts = [{ ...entry, creatorTxHash: null }]
  const tried = await fixture.post('/server/session/verify-checked?dryrun=true', { contracts }, session)
  const located = { ...found, address: checksummed, chainId: chain }
  expect(tried.body.contracts).toEqual([{ ...located, status: 'perfect' }])
  expect(await fixture.all()).toEqual([])

  const verified = await fixture.post('/server/session/verify-checked', { contracts }, session)
  const storageTimestamp = '2026-02-03T14:05:10.250Z'
  expect(verified.body.contracts).toEqual([{ ...located, status: 'perfect', storageTimestamp }])
  expect((await fixture.all()).at(-1)?.type).toBe('ContractVerified')
  const data = await fixture.get('/server/session/data', session)
  expect(data.body).toEqual(verified.body)
})

it('looks up what is verified, of one contract and of many, with its sources and interface', async () => {
  const request = `/server/files/any/${chain}/${checksummed}`
  expect((await fixture.get(request, page)).status).toBe(404)
  const files = { 'm.json': metadata, 'A.sol': source }
  await fixture.post('/server/verify', { address: evmAddress, chain, files })
  await fixture.fold()

  const any = await fixture.get(request, page)
  expect(any.headers['access-control-allow-origin']).toBe('*')
  expect(any.body.status).toBe('full')
  const names = any.body.files.map(({ name }: { name: string }) => name)
  expect(names).toContain('metadata.json')
  for (const folder of [`contracts/full_match/${chain}/${checksummed}`, `${chain}/0x${evmAddress}`]) {
    const listed = await fixture.get(`/server/repository/${folder}`)
    expect(listed.headers['content-type']).toBe('text/plain; charset=utf-8')
    const [, path] = listed.text.split('\n').map((url) => url && new URL(url).pathname)
    expect((await fixture.get(path!)).text).toBe(source)
  }
  expect((await fixture.get(`/server/repository/contracts/partial_match/${chain}/${checksummed}`)).status).toBe(404)

  const many = Array.from({ length: 99 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
  const query = new URLSearchParams({ chainIds: chain, addresses: [...many, `0x${evmAddress}`].join() })
  const checked = await fixture.get(`/server/check-all-by-addresses?${query}`, page)
  const known = checked.body.filter((each: object) => 'chainIds' in each)
  expect(known.map(({ address }: { address: string }) => address.toLowerCase())).toEqual([`0x${evmAddress}`])
})

it('looks up by the newer API, whose 404 says that nothing is verified', async () => {
  const request = `/server/v2/contract/${chain}/0x${evmAddress}?fields=metadata,sources`
  expect((await fixture.get(request, page)).status).toBe(404)
  await fixture.post('/server/verify', { address: evmAddress, chain, files: { 'm.json': metadata, 'A.sol': source } })
  await fixture.fold()
  const { status, body } = await fixture.get(request, page)
  expect([status, body]).toMatchObject([
    200,
    { runtimeMatch: 'exact_match', metadata: expect.any(Object), sources: { 'contracts/A.sol': { content: source } } },
  ])
  const batch = await fixture.get(`/server/v2/contracts/${chain}`, page)
  expect(batch.body.results).toMatchObject([{ address: checksummed, runtimeMatch: 'exact_match', chainId: chain }])
})
