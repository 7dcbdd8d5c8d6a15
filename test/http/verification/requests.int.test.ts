import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import {
  chain,
  checksummed,
  contractId,
  evmAddress,
  longZero,
  published,
  VerificationFixture,
} from '#test/verification/fixture.ts'
import { hasReference, referenceCases, withoutReference } from '#test/verification/reference.ts'

let fixture: VerificationFixture
beforeEach(async () => {
  fixture = await new VerificationFixture().begin()
})
afterEach(() => fixture.end())

const asked = { address: checksummed, chainId: chain }

interface Case {
  readonly id: string
  readonly contentType: string
  readonly body: unknown
  readonly error: { readonly status: number; readonly body: object } | null
}

describe.skipIf(!hasReference)(`the requests of the reference${withoutReference}`, () => {
  it.each(referenceCases<Case>('requests.json').map((each) => [each.id, each] as const))('%s', async (_id, each) => {
    // The reference asks of a network whose id is 296.
    const followed = await new VerificationFixture({ settings: { chainId: '296' } }).begin([])
    const payload = typeof each.body === 'string' ? each.body : JSON.stringify(each.body)
    for (const prefix of ['', '/server', '/session', '/server/session']) {
      const type = { 'content-type': each.contentType }
      const { status, body } = await followed.post(`${prefix}/verify/explorer`, payload, type)
      if (each.error === null) expect([status, body.code]).toEqual([400, 'explorer_not_configured'])
      else {
        const told = JSON.parse(JSON.stringify(each.error.body).replaceAll('"/verify/', `"${prefix}/verify/`))
        expect(status).toBe(each.error.status)
        expect(body).toMatchObject(told)
      }
    }
    await followed.end()
  })
})

it('tells all that is wrong with a request at once, and passes over what it does not know', async () => {
  const { status, body } = await fixture.post('/verify/explorer', { chainId: 7, apiKey: 1, other: 2 })
  expect([status, body.message]).toEqual([
    400,
    "request/body must have required property 'address', request/body/chainId must be string, request/body/apiKey must be string",
  ])
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
    '/body/address',
    '/body/chainId',
    '/body/apiKey',
  ])
  const query = await fixture.post('/verify/explorer?a=1', asked)
  expect([query.status, query.body]).toEqual([
    400,
    { message: "Unknown query parameter 'a'", errors: [{ path: '/query/a', message: "Unknown query parameter 'a'" }] },
  ])
  expect((await fixture.post('/verify/explorer', '')).body.errors).toHaveLength(2)
  expect((await fixture.post('/verify/explorer', '[]')).body.message).toBe('request/body must be object')
  expect((await fixture.post('/verify/explorer', `"${'x'.repeat(70_000)}"`)).status).toBe(413)
  expect(fixture.explorer.asked).toBe(0)
})

it('verifies a contract by any of its names, and tells the outcome', async () => {
  for (const address of [checksummed, evmAddress, `0x${longZero}`, contractId]) {
    const { status, body } = await fixture.post('/server/verify/etherscan', { address, chain })
    expect(status).toBe(200)
    expect(body.result).toEqual([
      expect.objectContaining({
        address: address === `0x${longZero}` ? address : checksummed,
        chainId: chain,
        status: 'perfect',
        libraryMap: { __$aa$__: evmAddress },
        storageTimestamp: '2026-02-03T14:05:10.250Z',
        entityId: contractId,
      }),
    ])
  }
  expect(fixture.explorer.asked).toBe(1)
})

it('answers a mismatch as an outcome without a status that says why', async () => {
  fixture.explorer.answer = published('something else')
  const { status, body } = await fixture.post('/verify/explorer', asked)
  expect([status, body.result]).toEqual([
    200,
    [
      {
        address: checksummed,
        chainId: chain,
        status: null,
        message: 'The code differs',
        code: 'no_match',
        libraryMap: {},
      },
    ],
  ])
})

it.each([
  [new VerificationProblem('explorer_not_verified', 'This contract is not verified on the explorer'), 404],
  [new VerificationProblem('explorer_rate_limit', 'later', { retryAfterSeconds: 7 }), 429],
  [new VerificationProblem('explorer_network_error', 'away'), 502],
])('tells what kept it from a verdict: %s', async (problem, wanted) => {
  fixture.explorer.answer = problem
  const { status, body, headers } = await fixture.post('/verify/explorer', asked)
  const { code, message } = problem
  expect([status, body]).toEqual([wanted, { error: message, message, code }])
  expect(headers['retry-after']).toBe(wanted === 429 ? '7' : undefined)
})

it('tells errors of a compiler, contracts that nobody knows, and chains of others', async () => {
  fixture.explorer.answer = published('syntax error')
  const compiled = await fixture.post('/verify/explorer', asked)
  expect([compiled.status, compiled.body.error]).toEqual([400, 'Compiler error: ["bad"]'])
  const unknown = await fixture.post('/verify/explorer', {
    ...asked,
    address: '0x00000000000000000000000000000000000004d2',
  })
  expect([unknown.status, unknown.body.code, unknown.body.reached]).toEqual([404, 'contract_not_known', '0.000000001'])
  const other = await fixture.post('/verify/explorer', { ...asked, chainId: '295' })
  expect([other.status, other.body.error]).toEqual([
    400,
    'Chain 295 is not followed here; this service follows chain 298',
  ])
})

it('finds what was deleted since', async () => {
  await fixture.end()
  const { contractCreated } = await import('#test/verification/fixture.ts')
  const { transaction } = await import('#test/projections/contract-results/story.ts')
  const contractID = { shardNum: 0n, realmNum: 0n, contractNum: 5_001n, evmAddress: null }
  const deletion = { contractID, transferAccountID: null, transferContractID: null, permanentRemoval: false }
  fixture = await new VerificationFixture().begin([
    contractCreated(1n, 5_001n, Buffer.from(evmAddress, 'hex')),
    transaction({ consensusTimestamp: 2n, type: 22, entityId: 5_001n, contractDeleteInstance: deletion }),
  ])
  for (const address of [checksummed, longZero, contractId])
    expect((await fixture.post('/verify/explorer', { address, chainId: chain })).body.result[0].status).toBe('perfect')
})

it('slows down who asks too often', async () => {
  await fixture.end()
  fixture = await new VerificationFixture({ settings: { requestsPerSecond: 2 } }).begin()
  const statuses = []
  for (let count = 0; count < 3; count++) statuses.push(await fixture.post('/verify/explorer', asked))
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(statuses[2]!.body.error).toBe('You are sending too many verification requests, please slow down.')
  expect(statuses[1]!.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
  fixture.time += 1_000
  expect((await fixture.post('/verify/explorer', asked)).status).toBe(200)
})

it('says that it goes on where it takes longer than a request waits, and tells the outcome later', async () => {
  await fixture.end()
  fixture = await new VerificationFixture({ settings: { waitMs: 20 } }).begin()
  const held = Promise.withResolvers<void>()
  fixture.explorer.hold = held.promise
  const { status, body } = await fixture.post('/verify/explorer', asked)
  expect([status, body]).toEqual([
    202,
    { message: expect.any(String), verificationId: expect.any(String), isJobCompleted: false },
  ])
  held.resolve()
  await expect.poll(async () => (await fixture.post('/verify/explorer', asked)).status).toBe(200)
  expect(fixture.explorer.asked).toBe(1)
})
