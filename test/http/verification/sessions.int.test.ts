import { afterEach, beforeEach, expect, it } from 'vitest'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { chain, checksummed, published, VerificationFixture } from '#test/verification/fixture.ts'

let fixture: VerificationFixture
beforeEach(async () => {
  fixture = await new VerificationFixture().begin()
})
afterEach(() => fixture.end())

const asked = { address: checksummed, chainId: chain }
const path = '/session/verify/explorer'
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['set-cookie']).split(';')[0]!

it('gives a page a session of its own, and shows in it what was found', async () => {
  const sources = new Map([
    ['Counter.sol', 'perfect'],
    ['unused.sol', ''],
  ])
  fixture.explorer.answer = published('perfect', { sources })
  const first = await fixture.post(path, asked)
  expect(first.status).toBe(200)
  expect(first.body).toEqual({
    contracts: [
      {
        verificationId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        compiledPath: 'Counter.sol',
        name: 'Counter',
        compilerVersion: '0.8.30+commit.73712a01',
        address: checksummed,
        chainId: chain,
        files: { found: ['Counter.sol'], missing: [] },
        status: 'perfect',
        storageTimestamp: '2026-02-03T14:05:10.250Z',
      },
    ],
    unused: ['unused.sol'],
  })
  const cookie = cookieOf(first)
  expect(first.headers['set-cookie']).toMatch(
    /^sourcify_vid=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
  )
  const data = await fixture.get('/server/session/data', { cookie })
  expect(data.body).toEqual({ ...first.body, files: ['Counter.sol', 'unused.sol'] })
  expect(cookieOf(data)).toBe(cookie)
  expect((await fixture.get('/session/data')).body).toEqual({ contracts: [], unused: [], files: [] })
})

it('answers the same contract again instead of refusing it, and keeps it once', async () => {
  const first = await fixture.post(path, asked)
  const again = await fixture.post(path, asked, { cookie: cookieOf(first) })
  expect([again.status, again.body]).toEqual([200, first.body])
})

it('shows a mismatch as an error with its text, and leaves the session as it was where nothing was compared', async () => {
  fixture.explorer.answer = published('something else')
  const first = await fixture.post(path, asked)
  expect(first.body.contracts).toEqual([
    expect.objectContaining({
      status: 'error',
      statusMessage: 'The code differs',
      name: 'Counter',
      files: { found: ['Counter.sol'], missing: [] },
    }),
  ])
  const cookie = cookieOf(first)
  fixture.explorer.answer = new VerificationProblem('explorer_not_verified', 'not there')
  expect((await fixture.post(path, asked, { cookie })).status).toBe(404)
  expect((await fixture.get('/session/data', { cookie })).body.contracts).toHaveLength(1)
})

it('ends a session when it is cleared, or not used for so long', async () => {
  const cookie = cookieOf(await fixture.post(path, asked))
  const count = async () => (await fixture.get('/session/data', { cookie })).body.contracts.length
  fixture.time += 43_199_000
  expect(await count()).toBe(1)
  fixture.time += 43_199_000
  expect(await count()).toBe(1)
  fixture.time += 43_201_000
  expect(await count()).toBe(0)
  await fixture.post(path, asked, { cookie })
  const cleared = await fixture.post('/session/clear', '', { cookie })
  expect([cleared.status, cleared.text, await count()]).toEqual([200, 'Session successfully cleared', 0])
})

it('takes no id but its own, and never stores one as it is', async () => {
  const forged = `sourcify_vid=${'../'.repeat(20)}`
  expect(cookieOf(await fixture.post(path, asked, { cookie: forged }))).not.toBe(forged)
  const id = cookieOf(await fixture.post(path, asked)).split('=')[1]!
  const stored = JSON.stringify(await fixture.control.list(''))
  expect([stored.includes('verification-session/'), stored.includes(id)]).toEqual([true, false])
})

it('holds so much, and says when that is used up', async () => {
  await fixture.end()
  fixture = await new VerificationFixture({ settings: { sessionBytesMax: 100 } }).begin()
  const { status, body } = await fixture.post(path, asked)
  expect([status, body.error]).toEqual([413, 'Too much session memory used. Delete some files or clear the session.'])
})

it('is used from the origins that are known, with credentials, and changed from no other one', async () => {
  const known = await fixture.post(path, asked, { origin: 'https://page.example' })
  expect(known.headers).toMatchObject({
    'access-control-allow-origin': 'https://page.example',
    'access-control-allow-credentials': 'true',
  })
  const other = await fixture.post(path, asked, { origin: 'https://evil.example' })
  expect([other.status, other.headers['access-control-allow-origin']]).toEqual([403, undefined])
  const preflight = (origin: string, url: string) =>
    fixture.app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'POST' } })
  const allowed = (await preflight('https://page.example', path)).headers
  expect([allowed['access-control-allow-origin'], allowed['access-control-allow-credentials']]).toEqual([
    'https://page.example',
    'true',
  ])
  const refused = (await preflight('https://evil.example', path)).headers
  expect(refused['access-control-allow-origin']).toBeUndefined()
  expect((await preflight('https://any.example', '/verify/explorer')).headers['access-control-allow-origin']).toBe('*')
  expect((await fixture.post('/session/clear', 'x', { 'content-type': 'text/plain' })).status).toBe(415)
})

it('says that its cookie is for https alone where it is', async () => {
  await fixture.end()
  fixture = await new VerificationFixture({ settings: { secureCookies: true } }).begin()
  expect((await fixture.post(path, asked)).headers['set-cookie']).toMatch(/; Secure$/)
})
