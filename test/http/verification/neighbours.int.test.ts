import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keccak256 } from '#src/domain/keccak.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import {
  chain,
  checksummed,
  contractCreated,
  contractId,
  evmAddress,
  longZero,
  published,
  VerificationFixture,
} from '#test/verification/fixture.ts'

/** The same code but for what may differ, and the very same. */
const cloneCode = Buffer.from('6080604052600436106100295760003560ffff', 'hex')
const [cloneAddress, sameAddress] = ['11'.repeat(20), '22'.repeat(20)]

let fixture: VerificationFixture
beforeEach(async () => {
  fixture = await new VerificationFixture().begin([
    contractCreated(1n, 5_001n, Buffer.from(evmAddress, 'hex')),
    contractCreated(2n, 5_002n, Buffer.from(cloneAddress, 'hex'), cloneCode),
    contractCreated(3n, 5_003n, Buffer.from(sameAddress, 'hex')),
  ])
})
afterEach(() => fixture.end())

async function verified(text = 'perfect', sources = new Map([['Counter.sol', text]])): Promise<void> {
  fixture.explorer.answer = published(text, { sources })
  const { status } = await fixture.post('/verify/explorer', { address: checksummed, chainId: chain })
  expect(status).toBe(200)
  await fixture.fold()
}

it('tells which addresses are verified', async () => {
  await verified('perfect')
  const query = `addresses=${checksummed},0x${longZero},${cloneAddress},0x12&chainIds=${chain},295`
  const perfect = await fixture.get(`/server/check-by-addresses?${query}`)
  expect(perfect.body).toEqual([
    { address: checksummed, status: 'perfect', chainIds: [chain] },
    { address: `0x${longZero}`, status: 'perfect', chainIds: [chain] },
    { address: cloneAddress, status: 'false' },
    { address: '0x12', status: 'false' },
  ])
  const all = await fixture.get(
    `/check-all-by-addresses?addresses=${checksummed},${cloneAddress},${sameAddress}&chainIds=${chain}`,
  )
  expect(all.body).toEqual([
    { address: checksummed, chainIds: [{ chainId: chain, status: 'perfect' }] },
    { address: cloneAddress, chainIds: [{ chainId: chain, status: 'partial', similarTo: checksummed }] },
    { address: sameAddress, chainIds: [{ chainId: chain, status: 'perfect', similarTo: checksummed }] },
  ])
  const missing = await fixture.get('/check-by-addresses?addresses=0x12')
  expect([missing.status, missing.body.message]).toEqual([400, "request/query must have required property 'chainIds'"])
  const many = Array.from({ length: 101 }, () => checksummed).join()
  expect((await fixture.get(`/check-by-addresses?addresses=${many}&chainIds=1`)).status).toBe(400)
})

it('shows the files of a match in the layout that tools know, as text and nothing else', async () => {
  const hostile = '<script>perfect</script>'
  const sources = new Map([
    ['../../etc/Counter.sol', hostile],
    ['etc/Counter.sol', 'other'],
  ])
  await verified('perfect', sources)
  const base = `contracts/full_match/${chain}/${checksummed}`
  const { body } = await fixture.get(`/files/${chain}/${evmAddress}`)
  const paths = body.map(({ path }: { path: string }) => path)
  expect(paths).toEqual([
    `${base}/metadata.json`,
    `${base}/sources/etc/Counter.sol`,
    expect.stringMatching(/\/sources\/[0-9a-f]{16}\/etc\/Counter\.sol$/),
    `${base}/library-map.json`,
    `${base}/path-translation.json`,
  ])
  expect(body[1]).toMatchObject({ name: 'Counter.sol', content: hostile })
  const tree = await fixture.get(`/server/files/tree/any/${chain}/${contractId}`)
  expect(tree.body.status).toBe('full')
  const stored = await fixture.get(new URL(tree.body.files[1]).pathname)
  expect([
    stored.status,
    stored.text,
    stored.headers['content-type'],
    stored.headers['x-content-type-options'],
  ]).toEqual([200, hostile, 'text/plain; charset=utf-8', 'nosniff'])
  expect(stored.headers['content-security-policy']).toContain('sandbox')
  expect((await fixture.get(`/repository/${base}/sources%2F..%2Fmetadata.json`)).status).toBe(404)
  expect((await fixture.get(`/repository/${base.replace('full', 'partial')}/metadata.json`)).status).toBe(404)
})

it('shows partial matches where they are asked for, and lists both', async () => {
  const none = await fixture.get(`/files/contracts/${chain}`)
  expect([none.status, none.body.error]).toEqual([404, 'Contracts have not been found!'])
  await verified('partial')
  const perfect = await fixture.get(`/files/${chain}/${checksummed}`)
  expect([perfect.status, perfect.body.error]).toEqual([404, 'Files have not been found!'])
  expect((await fixture.get(`/files/any/${chain}/${checksummed}`)).body).toMatchObject({ status: 'partial' })
  expect((await fixture.get(`/files/contracts/${chain}`)).body).toEqual({ full: [], partial: [checksummed] })
  await verified('perfect')
  expect((await fixture.get(`/files/contracts/${chain}`)).body).toEqual({ full: [checksummed], partial: [] })
})

it('pages by number through what is verified, with how much there is', async () => {
  await verified('perfect')
  fixture.explorer.answer = published('partial')
  await fixture.post('/verify/explorer', { address: cloneAddress, chainId: chain })
  await fixture.fold()
  const page = async (kind: string, query = '') => (await fixture.get(`/files/contracts/${kind}/${chain}${query}`)).body
  const clone = checksumAddress(cloneAddress)
  expect(await page('any', '?page=1&limit=1')).toEqual({
    results: [clone],
    pagination: {
      currentPage: 1,
      totalPages: 2,
      resultsPerPage: 1,
      resultsCurrentPage: 1,
      totalResults: 2,
      hasNextPage: false,
      hasPreviousPage: true,
    },
  })
  expect((await page('any', '?order=desc')).results).toEqual([clone, checksummed])
  expect((await page('full')).results).toEqual([checksummed])
  expect((await page('partial')).results).toEqual([clone])
  expect(await page('partial', '?page=7')).toMatchObject({ results: [], pagination: { hasNextPage: false } })
  for (const query of ['?page=-1', '?limit=201', '?limit=0', '?order=up', '?sort=asc'])
    expect((await fixture.get(`/files/contracts/any/${chain}${query}`)).status).toBe(400)
})

it('tells the chains, and that it is there', async () => {
  const { body } = await fixture.get('/chains')
  expect(
    body.map(({ chainId, supported, etherscanAPI }: Record<string, unknown>) => [chainId, supported, etherscanAPI]),
  ).toEqual([
    [298, true, true],
    [295, false, false],
    [296, false, false],
    [297, false, false],
  ])
  expect((await fixture.get('/server/health')).text).toBe('Alive and kicking!')
})

const standardJson = (content: string) => ({ language: 'Solidity', sources: { 'a.sol': { content } }, settings: {} })

describe('what callers send along', () => {
  const named = { address: checksummed, chain }

  it('is verified from the input of the compiler', async () => {
    const files = { 'input.json': JSON.stringify(standardJson('perfect')) }
    const more = { files, compilerVersion: '0.8.30+commit.73712a01', contractName: 'A' }
    const { status, body } = await fixture.post('/verify/solc-json', { ...named, ...more })
    expect([status, body.result[0].status, body.result[0].contractName]).toEqual([200, 'perfect', 'A'])
    expect(fixture.explorer.asked).toBe(0)
  })

  it('is verified from metadata with the sources that it names, whatever these are called', async () => {
    const hash = `0x${keccak256(Buffer.from('perfect')).toString('hex')}`
    const metadata = {
      compiler: { version: '0.8.30+commit.73712a01' },
      language: 'Solidity',
      settings: {
        compilationTarget: { 'src/A.sol': 'A' },
        libraries: { 'L.sol:L': '0x12' },
        optimizer: { enabled: true },
      },
      sources: { 'src/A.sol': { keccak256: hash } },
    }
    const files = { 'metadata.json': JSON.stringify(metadata), 'whatever.sol': 'perfect' }
    const { status, body } = await fixture.post('/server/verify', { ...named, files })
    expect([status, body.result[0].status]).toEqual([200, 'perfect'])
    const lacking = await fixture.post('/verify', { ...named, files: { ...files, 'whatever.sol': 'other' } })
    expect([lacking.status, lacking.body.error]).toEqual([400, expect.stringContaining('"src/A.sol"')])
    const without = await fixture.post('/verify', { ...named, files: { 'a.sol': '' } })
    expect([without.status, without.body.code]).toEqual([400, 'invalid_input'])
  })

  it.each([
    [{ sources: { 'a.sol': { urls: ['file:///etc/passwd'] } } }, 'has no content'],
    [{ language: 'Vyper', sources: {} }, '"Vyper" is not supported'],
    [{ sources: {} }, 'has no sources'],
    [{ sources: [] }, 'must be an object'],
  ])('is refused where it is no input: %j', async (input, text) => {
    const more = { files: { x: JSON.stringify(input) }, compilerVersion: '0.8.30', contractName: 'A' }
    const { status, body } = await fixture.post('/verify/solc-json', { ...named, ...more })
    expect([status, body.error]).toEqual([400, expect.stringContaining(text)])
  })
})

describe('the newer API', () => {
  const job = `/v2/verify/${chain}/${checksummed}`
  const standard = (content: string) => {
    return {
      stdJsonInput: standardJson(content),
      compilerVersion: '0.8.30+commit.73712a01',
      contractIdentifier: 'a.sol:A',
    }
  }
  async function ended(id: string) {
    await expect
      .poll(async () => {
        await fixture.fold()
        return (await fixture.get(`/server/v2/verify/${id}`)).body.isJobCompleted
      })
      .toBe(true)
    return (await fixture.get(`/v2/verify/${id}`)).body
  }

  it('begins a verification, and tells what became of it', async () => {
    const { status, body } = await fixture.post(job, standard('perfect'))
    expect([status, Object.keys(body)]).toEqual([202, ['verificationId']])
    expect(await ended(body.verificationId)).toEqual({
      isJobCompleted: true,
      verificationId: body.verificationId,
      jobStartTime: '2026-02-03T14:05:10.250Z',
      jobFinishTime: '2026-02-03T14:05:10.250Z',
      compilationTime: expect.any(String),
      contract: {
        matchId: expect.any(String),
        match: 'exact_match',
        creationMatch: null,
        runtimeMatch: 'exact_match',
        chainId: chain,
        address: checksummed,
        verifiedAt: '2026-02-03T14:05:10.250Z',
      },
    })
    const again = await fixture.post(job, standard('perfect'))
    expect([again.status, again.body.customCode]).toEqual([409, 'already_verified'])
  })

  it('tells why a verification came to nothing, with its id', async () => {
    const { body } = await fixture.post(job, standard('something else'))
    const { error, contract } = await ended(body.verificationId)
    expect(error).toEqual({ customCode: 'no_match', message: 'The code differs', errorId: body.verificationId })
    expect(contract).toEqual({
      match: null,
      creationMatch: null,
      runtimeMatch: null,
      chainId: chain,
      address: contractId,
    })
  })

  it('asks an explorer, and joins whoever asks already', async () => {
    const held = Promise.withResolvers<void>()
    fixture.explorer.hold = held.promise
    const url = `/v2/verify/explorer/${chain}/${evmAddress}`
    const [first, second] = [await fixture.post(url, {}), await fixture.post(url, {})]
    expect(second.body).toEqual(first.body)
    expect((await fixture.get(`/v2/verify/${first.body.verificationId}`)).body.isJobCompleted).toBe(false)
    held.resolve()
    expect((await ended(first.body.verificationId)).contract.match).toBe('exact_match')
  })

  it('verifies clones from what was verified, and marks those that nobody verified', async () => {
    await verified('perfect')
    const shown = await fixture.get(`/v2/contract/${chain}/${cloneAddress}`)
    expect(shown.body).toMatchObject({
      match: 'match',
      creationMatch: null,
      similarTo: checksummed,
      address: checksumAddress(cloneAddress),
    })
    const { status, body } = await fixture.post(`/v2/verify/similarity/${chain}/${cloneAddress}`, {})
    expect(status).toBe(202)
    await ended(body.verificationId)
    expect((await fixture.get(`/v2/contract/${chain}/${cloneAddress}`)).body.similarTo).toBeUndefined()
  })

  it('shows what is stored of a contract, as far as it is asked for', async () => {
    await verified('perfect')
    const at = `/v2/contract/${chain}/${evmAddress}`
    expect(Object.keys((await fixture.get(at)).body)).toHaveLength(7)
    const { body } = await fixture.get(`${at}?fields=sources,compilation.name,metadata`)
    expect(body).toMatchObject({
      sources: { 'Counter.sol': { content: 'perfect' } },
      compilation: { fullyQualifiedName: 'Counter.sol:Counter' },
    })
    expect((await fixture.get(`${at}?fields=all`)).body.runtimeBytecode.onchainBytecode).toMatch(/^0x6080/)
    expect((await fixture.get(`${at}?omit=sources`)).body.sources).toBeUndefined()
    expect((await fixture.get(`${at}?fields=x`)).body).toMatchObject({
      customCode: 'invalid_parameter',
      errorId: expect.any(String),
    })
    const none = await fixture.get(`/v2/contract/${chain}/0x${'33'.repeat(20)}`)
    expect([none.status, none.body.match]).toEqual([404, null])
  })

  it('pages through the contracts of a chain', async () => {
    await verified('perfect')
    fixture.explorer.answer = published('partial')
    await fixture.post('/verify/explorer', { address: cloneAddress, chainId: chain })
    await fixture.fold()
    const list = async (query: string) => (await fixture.get(`/v2/contracts/${chain}?${query}`)).body.results
    const [newest] = await list('limit=1')
    expect(newest).toMatchObject({ address: checksumAddress(cloneAddress), match: 'match' })
    expect((await list(`limit=1&afterMatchId=${newest.matchId}`))[0].address).toBe(checksummed)
    expect((await list('sort=asc')).map(({ address }: { address: string }) => address)).toEqual([
      checksummed,
      checksumAddress(cloneAddress),
    ])
    expect((await fixture.get(`/v2/contracts/${chain}?limit=0`)).status).toBe(400)
  })

  it.each([
    [`/v2/verify/7/${checksummed}`, standard('x'), 400, 'unsupported_chain'],
    [`/v2/verify/${chain}/0x12`, standard('x'), 400, 'invalid_parameter'],
    [`/v2/verify/${chain}/0x${'33'.repeat(20)}`, standard('x'), 404, 'contract_not_known'],
    [job, {}, 400, 'invalid_parameter'],
    [`/v2/verify/similarity/${chain}/${checksummed}`, {}, 422, 'no_match'],
  ])('refuses %s %j with %i', async (url, payload, status, customCode) => {
    const answer = await fixture.post(url, payload)
    expect([answer.status, answer.body.customCode, typeof answer.body.errorId]).toEqual([status, customCode, 'string'])
  })

  it('knows no job that nobody began', async () => {
    const { status, body } = await fixture.get('/v2/verify/nobody')
    expect([status, body.customCode]).toEqual([404, 'job_not_found'])
  })
})
