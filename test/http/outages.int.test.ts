import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { answerable } from '#queries/common/route.ts'
import { apiRoutes } from '#queries/index.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { ReadStore, RowReader } from '#src/ports/read-store.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const list = '/api/v1/transactions'
const unavailable = [503, { _status: { messages: [{ message: 'Service unavailable' }] } }]
let ledger: TestLedger

beforeAll(async () => {
  ledger = await openTestLedger()
  await ledger.record([recordOf('TransactionRecorded', transactionRecorded())])
})
afterAll(() => ledger.close())

/** A store that can be taken away: then every call fails, as it does where a server is gone. */
class FragileStore implements ReadStore {
  away = false
  calls = 0

  async openReader(schema: { readonly name: string }): Promise<RowReader> {
    const reader = ledger.readers[schema.name as 'blocks']
    const checked = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => {
      return async (...args: A): Promise<T> => {
        this.calls += 1
        if (this.away) throw new LedgerError('store_unavailable', 'The store does not answer')
        return call.apply(reader, args)
      }
    }
    return {
      checkpoint: checked(reader.checkpoint),
      get: checked(reader.get),
      find: checked(reader.find),
      scan: checked(reader.scan),
      parkedCount: checked(reader.parkedCount),
      parked: checked(reader.parked),
      close: async () => {},
    }
  }

  async openWriter(): Promise<never> {
    throw new Error('not for writing')
  }
  async remove(): Promise<boolean> {
    return false
  }
  async close(): Promise<void> {}
}

async function openFragile(logger: Logger = silentLogger) {
  const store = new FragileStore()
  const control = openSqliteControlStore({ folder: ':memory:' })
  const models = new ServedModels({
    schemas: answerable(apiRoutes, [transactionsSchema, blocksSchema]),
    logger,
    pollMs: 5,
  })
  const stores = { controlStore: control, readStore: store }
  const app = ledger.app({}, { models, logger })
  return { store, control, models, stores, app, ask: () => askApp(app) }
}

async function askApp(app: ReturnType<TestLedger['app']>, url = list): Promise<[number, unknown]> {
  const answer = await app.inject(url)
  return [answer.statusCode, answer.json()]
}

it('answers 503 at once while the store is away, without asking it for each request, and recovers by itself', async () => {
  const lines: object[] = []
  const logger = { ...silentLogger, warn: (fields: object) => lines.push(fields) }
  const { store, models, stores, ask } = await openFragile(logger)
  await models.poll(stores)
  expect((await ask())[0]).toBe(200)
  store.away = true
  expect(await ask()).toEqual(unavailable)
  expect(models.problem).toBe('The store does not answer')
  const callsBefore = store.calls
  const answers = await Promise.all(Array.from({ length: 200 }, ask))
  expect(answers).toEqual(answers.map(() => unavailable))
  expect(store.calls - callsBefore).toBeLessThan(100)
  expect(lines).toContainEqual({ code: 'store_unavailable', reason: 'The store does not answer' })
  store.away = false
  await vi.waitFor(() => expect(models.problem).toBeUndefined())
  expect((await ask())[0]).toBe(200)
  await models.close()
})

it('refuses nobody else when one request has asked too much of a store that answers otherwise', async () => {
  const { store, models, stores, app, ask } = await openFragile()
  await models.poll(stores)
  const probed = Promise.withResolvers<void>()
  const { reader } = models.serving.find(({ name }) => name === 'transactions')!
  vi.spyOn(reader, 'find').mockRejectedValueOnce(new LedgerError('store_unavailable', 'operation exceeded time limit'))
  const checkpoint = reader.checkpoint
  const slow = vi.spyOn(reader, 'checkpoint').mockImplementation(async () => {
    await probed.promise
    return checkpoint()
  })
  slow.mockImplementationOnce(checkpoint)
  const tooMuch = ask()
  await vi.waitFor(() => expect(slow.mock.calls.length).toBeGreaterThan(1))
  expect((await askApp(app, '/api/v1/blocks'))[0]).toBe(200)
  probed.resolve()
  expect(await tooMuch).toEqual(unavailable)
  expect(store.away).toBe(false)
  expect(models.problem).toBeUndefined()
  await models.close()
})

it('answers 503 before the stores were open for the first time, then serves', async () => {
  const { models, stores, ask } = await openFragile()
  models.wait('MongoDB at 127.0.0.1:1 does not answer')
  expect(await ask()).toEqual(unavailable)
  expect(models.problem).toBe('MongoDB at 127.0.0.1:1 does not answer')
  await models.poll(stores)
  expect((await ask())[0]).toBe(200)
  await models.close()
})

it('goes on serving while the plan cannot be read', async () => {
  const { control, models, stores, ask } = await openFragile()
  await models.poll(stores)
  vi.spyOn(control, 'get').mockRejectedValue(new LedgerError('store_unavailable', 'gone'))
  await models.poll(stores)
  expect(models.problem).toBe('gone')
  expect((await ask())[0]).toBe(200)
  await models.close()
})

it('refuses what would be one request too many instead of queueing it', async () => {
  const hanging = Promise.withResolvers<undefined>()
  const slow: RowReader = { ...ledger.readers.transactions, checkpoint: () => hanging.promise }
  const app = ledger.app({ requestsAtOnceMax: 3 }, { readers: { transactions: slow, blocks: slow } })
  const waiting = [1, 2, 3].map(() => app.inject('/api/v1/blocks'))
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(await askApp(app)).toEqual(unavailable)
  expect((await app.inject('/health/liveness')).statusCode).toBe(200)
  hanging.resolve(undefined)
  await Promise.all(waiting)
  const after = await app.inject('/api/v1/blocks')
  expect(after.statusCode).not.toBe(503)
})

it('does not take rows that were removed for an empty ledger', async () => {
  let gone = false
  const { transactions } = ledger.readers
  const removed: RowReader = {
    checkpoint: async () => (gone ? undefined : transactions.checkpoint()),
    find: (query) => transactions.find(query),
    get: (...args) => transactions.get(...args),
    scan: (...args) => transactions.scan(...args),
    parkedCount: () => transactions.parkedCount(),
    parked: (...args) => transactions.parked(...args),
    close: () => transactions.close(),
  }
  const app = ledger.app({}, { readers: { transactions: removed, blocks: removed } })
  expect((await app.inject(list)).statusCode).toBe(200)
  await nextTurn()
  gone = true
  expect(await askApp(app)).toEqual(unavailable)
})

it('carries the id of a request from its header to the store and back', async () => {
  const ids: (string | undefined)[] = []
  const { transactions } = ledger.readers
  const noting: RowReader = {
    ...transactions,
    checkpoint: async () => ({ position: 1, time: 5n }),
    find: async (_query, requestId) => {
      ids.push(requestId)
      throw new Error('broken')
    },
  }
  const lines: object[] = []
  const logger = { ...silentLogger, error: (fields: object) => lines.push(fields) }
  const app = ledger.app({}, { readers: { transactions: noting, blocks: noting }, logger })
  const ask = (headers: Record<string, string>) => app.inject({ url: list, headers })
  const given = await ask({ 'x-request-id': 'edge-7:42' })
  expect(given.headers['request-id']).toBe('edge-7:42')
  expect(ids).toEqual(['edge-7:42'])
  expect(lines).toMatchObject([{ requestId: 'edge-7:42', method: 'GET', url: list, status: 500 }])
  expect((await ask({ 'Request-Id': 'abc' })).headers['request-id']).toBe('abc')
  for (const odd of ['a b', 'x'.repeat(129), '"; drop']) {
    expect((await ask({ 'x-request-id': odd })).headers['request-id']).toMatch(/^[0-9a-f]{8}-\w+$/)
  }
})

it('logs a request that took longer than it should', async () => {
  const lines: object[] = []
  const logger = { ...silentLogger, warn: (fields: object) => lines.push(fields) }
  const app = ledger.app({ slowRequestMs: -1 }, { logger })
  const answer = await app.inject(list)
  const requestId = answer.headers['request-id']
  expect(lines).toMatchObject([{ requestId, method: 'GET', url: list, status: 200, milliseconds: expect.any(Number) }])
})
