import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '#queries/index.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
const notFoundBody = { _status: { messages: [{ message: 'Not found' }] } }
let ledger: TestLedger

beforeAll(async () => {
  ledger = await openTestLedger()
  const transactions = Array.from({ length: 30 }, (_, index) =>
    transactionRecorded({ consensusTimestamp: start + BigInt(index) * second }),
  )
  const block = recordOf('BlockRecorded', {
    number: 7n,
    name: '2023-11-14T22_13_20.000000000Z.rcd.gz',
    hash: Buffer.alloc(48, 7),
    previousHash: Buffer.alloc(48),
    consensusStart: start,
    consensusEnd: start + 29n * second,
    count: 30n,
  })
  await ledger.record([...transactions.map((event) => recordOf('TransactionRecorded', event)), block])
})

afterAll(() => ledger.close())

describe('routing', () => {
  it.each([
    '/nothing',
    '/api/v1/nothing',
    '/api/v1/transactions/0.0.1-1-1/stateproof',
    '/api/v1/transactions//',
    '/api/v1/blocks/1/2',
  ])('answers 404 for %s', async (url) => {
    const answer = await ledger.app().inject(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual(notFoundBody)
  })

  it('answers 404 for other methods, whatever their body', async () => {
    const app = ledger.app()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await app.inject({
        method,
        url: '/api/v1/transactions',
        headers: { 'content-type': 'text/odd' },
        payload: '{',
      })
      expect([method, answer.statusCode, answer.json()]).toEqual([method, 404, notFoundBody])
    }
  })

  it('does not mind the case of literal segments, nor one trailing slash', async () => {
    const answer = await ledger.app().inject('/API/v1/Transactions/?limit=1')
    expect(answer.statusCode).toBe(200)
    expect(answer.json().links.next).toBe(`/API/v1/Transactions?limit=1&timestamp=lt:1700000029.000000000`)
  })

  it('answers HEAD like GET without a body', async () => {
    const app = ledger.app()
    const [head, get] = await Promise.all([
      app.inject({ method: 'HEAD', url: '/api/v1/blocks' }),
      app.inject('/api/v1/blocks'),
    ])
    expect(head.body).toBe('')
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(head.headers['etag']).toBe(get.headers['etag'])
  })

  it.each([
    ['/api/v1/anything', 204, 'GET,HEAD,PUT,PATCH,POST,DELETE'],
    ['/api/v1/transactions', 204, 'GET,HEAD,PUT,PATCH,POST,DELETE'],
    ['/api/v1/network/stake', 200, 'GET,HEAD,POST'],
    ['/api/v1/network/fees', 200, 'GET,HEAD,POST'],
  ])('answers OPTIONS of %s with what browsers ask for', async (url, status, methods) => {
    const headers = { origin: 'http://x.example', 'access-control-request-headers': 'a,b' }
    const answer = await ledger.app().inject({ method: 'OPTIONS', url, headers })
    expect([answer.statusCode, answer.body]).toEqual([status, ''])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'a,b',
    })
  })

  it.each([
    ['/api/v1/transactions/%E0%A4%A', 400],
    ['/api/v1/blocks/%', 400],
    [`/api/v1/blocks/${'1'.repeat(10_000)}`, 400],
    [`/api/v1/transactions/${'a'.repeat(10_000)}`, 400],
  ])('refuses the malformed address %s', async (url, status) => {
    const app = ledger.app()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${address}${url}`)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    await app.close()
  })
})

describe('headers', () => {
  it('tells type, life time, freshness and the next page', async () => {
    const answer = await ledger.app().inject('/api/v1/transactions?limit=2')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=2',
      'access-control-allow-origin': '*',
      'ledger-consensus-timestamp': '1700000029.000000000',
      link: '</api/v1/transactions?limit=2&timestamp=lt:1700000028.000000000>; rel="next"',
    })
  })

  it('answers 304 without a body while the tag matches', async () => {
    const app = ledger.app()
    const { etag } = (await app.inject('/api/v1/transactions')).headers
    expect(etag).toMatch(/^W\/"/)
    const again = await app.inject({
      url: '/api/v1/transactions',
      headers: { 'if-none-match': `"other", ${etag as string}` },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const other = await app.inject({
      url: '/api/v1/transactions?limit=3',
      headers: { 'if-none-match': etag as string },
    })
    expect(other.statusCode).toBe(200)
  })

  it('keeps odd characters of a link out of the header', async () => {
    const answer = await ledger.app().inject('/api/v1/transactions?limit=1&account.id=%0d%0aSet-Cookie:gt:1')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['link']).toContain('%0D%0ASet-Cookie:gt:1')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

describe('users', () => {
  const users = [{ username: 'ann', password: 'secret:1', pageSizeMax: 500 }]
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

  it('gives a known user the own page size, others the general one', async () => {
    const app = ledger.app({ users, pageSizeMax: 5 })
    const url = '/api/v1/transactions?limit=20'
    const known = await app.inject({ url, headers: basic('ann:secret:1') })
    expect(known.json().transactions).toHaveLength(20)
    expect((await app.inject(url)).json().transactions).toHaveLength(5)
    expect((await app.inject({ url, headers: { authorization: 'Bearer x' } })).json().transactions).toHaveLength(5)
  })

  it('tells shared caches that answers depend on the credentials, where there are users', async () => {
    const app = ledger.app({ users })
    for (const headers of [{}, basic('ann:secret:1'), basic('ann:wrong')]) {
      const answer = await app.inject({ url: '/api/v1/blocks', headers })
      expect(answer.headers['vary']).toBe('Authorization')
    }
    const { etag } = (await app.inject('/api/v1/blocks')).headers
    const unchanged = await app.inject({ url: '/api/v1/blocks', headers: { 'if-none-match': etag as string } })
    expect([unchanged.statusCode, unchanged.headers['vary']]).toEqual([304, 'Authorization'])
    expect((await ledger.app().inject('/api/v1/blocks')).headers['vary']).toBeUndefined()
  })

  it('refuses wrong credentials', async () => {
    const answer = await ledger.app({ users }).inject({ url: '/api/v1/blocks', headers: basic('ann:wrong') })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ _status: { messages: [{ message: 'Invalid credentials' }] } })
  })
})

describe('freshness', () => {
  it('waits for a time that the read model reaches, and gives up on one that it does not', async () => {
    const app = ledger.app({ maxWaitMs: 30 })
    const reached = await app.inject({ url: '/api/v1/blocks', headers: { 'ledger-wait-for': '1700000029.0' } })
    expect(reached.statusCode).toBe(200)
    const late = await app.inject({ url: '/api/v1/blocks', headers: { 'ledger-wait-for': '1700000030' } })
    expect([late.statusCode, late.json()._status.messages[0].message]).toEqual([503, 'Service unavailable'])
    const odd = await app.inject({ url: '/api/v1/blocks', headers: { 'ledger-wait-for': 'soon' } })
    expect(odd.statusCode).toBe(400)
  })

  it('keeps answers only while the read model stands still', async () => {
    const own = await openTestLedger()
    const app = own.app({ answerCacheBytesMax: 1 << 20 })
    await own.record([recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: start }))])
    const first = await app.inject('/api/v1/transactions')
    // Kept when asked for the second time, given from there the third time.
    for (let times = 0; times < 2; times++) {
      expect((await app.inject('/api/v1/transactions')).body).toBe(first.body)
    }
    await own.record([recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: start + 1n }))])
    const later = await app.inject('/api/v1/transactions')
    expect(later.json().transactions).toHaveLength(2)
    expect(later.headers['etag']).not.toBe(first.headers['etag'])
    await own.close()
  })
})

describe('failures', () => {
  function failingApp(error: Error) {
    const failures: object[] = []
    const reader = new Proxy({} as RowReader, { get: () => () => Promise.reject(error) })
    const logger = {
      ...silentLogger,
      error: (fields: object) => failures.push(fields),
      warn: (fields: object) => failures.push(fields),
    }
    return { app: ledger.app({}, { readers: { transactions: reader, blocks: reader }, logger }), failures }
  }

  it('hides an unexpected error behind a plain 500 and logs it under the id that the answer names', async () => {
    const { app, failures } = failingApp(new Error('secret detail'))
    const answer = await app.inject('/api/v1/transactions')
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { _status: { messages: [{ message: 'Internal error' }] } },
    ])
    expect(failures).toMatchObject([{ requestId: answer.headers['request-id'], err: { message: 'secret detail' } }])
  })

  it('answers 503 while the store is away', async () => {
    const { app } = failingApp(new LedgerError('store_unavailable', 'disk gone'))
    const answer = await app.inject('/api/v1/blocks')
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { _status: { messages: [{ message: 'Service unavailable' }] } },
    ])
  })

  it('gives up a search that takes too long', async () => {
    const answer = await ledger.app({ requestTimeoutMs: -1 }).inject('/api/v1/transactions?account.id=1001&limit=100')
    expect(answer.statusCode).toBe(503)
  })
})

describe('operations', () => {
  it('tells liveness, readiness with its numbers, and metrics', async () => {
    const metrics = { contentType: 'text/plain; version=0.0.4', render: async () => 'ledger_up 1\n' }
    const app = ledger.app({}, { metrics, readiness: async () => ({ ready: false, lagEvents: 12 }) })
    expect((await app.inject('/health/liveness')).statusCode).toBe(200)
    const ready = await app.inject('/health/readiness')
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'DOWN', ready: false, lagEvents: 12 }])
    for (const url of ['/metrics', '/swagger/metrics/']) expect((await app.inject(url)).body).toBe('ledger_up 1\n')
  })

  it('describes its routes from the data that validates them', async () => {
    const app = ledger.app({ docs: true })
    const description = (await app.inject('/api/v1/docs/openapi.json')).json()
    const described: { name: string; in: string }[] = description.paths['/api/v1/transactions'].get.parameters
    const parameters = described.filter((each) => each.in === 'query').map(({ name }) => name)
    expect(parameters.sort()).toEqual([
      'account.id',
      'limit',
      'order',
      'result',
      'timestamp',
      'token.id',
      'transactiontype',
      'type',
    ])
    const paths = Object.keys(description.paths).filter((path) => path.startsWith('/api/'))
    const served = new Set(apiRoutes.map(({ path }) => `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`))
    expect(paths.sort()).toEqual([...served].sort())
    expect((await app.inject('/api/v1/docs/openapi.yml')).body).toContain('/api/v1/blocks')
    const page = await app.inject('/api/v1/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<title>Ledger history API</title>')
  })

  it('describes health and metrics, too, and where all of it answers', async () => {
    const metrics = { contentType: 'text/plain; version=0.0.4', render: async () => 'ledger_up 1\n' }
    const app = ledger.app({ docs: true }, { metrics })
    const description = (await app.inject('/api/v1/docs/openapi.json')).json()
    expect(description.servers).toMatchObject([{ url: '/' }])
    const { '/health/readiness': readiness, '/metrics': page } = description.paths
    expect(Object.keys(readiness.get.responses)).toEqual(['200', '503'])
    expect(Object.keys(page.get.responses['200'].content)).toEqual(['text/plain'])
    expect(description.paths).toHaveProperty(['/health/liveness'])
    expect(description.paths).not.toHaveProperty(['/swagger/metrics'])
    const answer = await app.inject('/metrics')
    expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain; version=0.0.4', 'ledger_up 1\n'])
  })
})

describe('any request', () => {
  it('never gets a 500', async () => {
    const app = ledger.app()
    const path = fc.constantFrom(
      '/api/v1/transactions',
      '/api/v1/blocks',
      '/api/v1/blocks/7',
      '/api/v1/transactions/0.0.1001-1699999999-0',
    )
    const name = fc.constantFrom(
      'limit',
      'order',
      'timestamp',
      'account.id',
      'type',
      'transactiontype',
      'result',
      'block.number',
      'nonce',
      'scheduled',
      'x[y]',
    )
    const operator = fc.constantFrom('', 'gt:', 'gte:', 'lt:', 'lte:', 'eq:', 'ne:', 'zz:')
    const value = fc.oneof(
      fc.constantFrom(
        '1',
        '0',
        '1001',
        '0.0.1002',
        'asc',
        'credit',
        'debit',
        'fail',
        'success',
        'UNKNOWN',
        'NODE',
        'CRYPTOTRANSFER',
        'true',
      ),
      fc.constantFrom('1700000005', '9999999999.999999999', '9223372036854775807', '0x7', '%00', `0x${'f'.repeat(40)}`),
      fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
    )
    const query = fc.array(
      fc.tuple(name, operator, value).map((parts) => `${parts[0]}=${parts[1]}${parts[2]}`),
      { maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(path, query, async (base, pairs) => {
        const answer = await app.inject(`${base}?${pairs.join('&')}`)
        expect([200, 400, 404]).toContain(answer.statusCode)
      }),
      { numRuns: 1_000 },
    )
  })
})
