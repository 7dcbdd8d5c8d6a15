import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { invalidParameter, notFound } from '#queries/common/errors.ts'
import { parseInteger } from '#queries/common/parameters.ts'
import type { Payload } from '#queries/common/payload.ts'
import { type ApiRoute, answerable, defineRoute } from '#queries/common/route.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'
import { fixedModels } from '#test/support/fixed-models.ts'

const second = 1_000_000_000n
const entities = {
  name: 'entities',
  version: 1,
  collections: { entities: { kind: 'state', fields: { id: 'int64', memo: 'text?' }, key: ['id'] } },
} as const satisfies ProjectionSchema
const balances = {
  name: 'balances',
  version: 1,
  collections: { balances: { kind: 'state', fields: { id: 'int64', amount: 'int64' }, key: ['id'] } },
} as const satisfies ProjectionSchema
const balances2 = { ...balances, version: 2 } as const

const number = {
  description: 'A number',
  schema: { type: 'integer' },
  parse: (text: string) => parseInteger(text, 0n, 1n << 38n),
} as const

/** What a joined answer is given, with what it asks for. */
const joined = defineRoute({
  path: '/accounts/:account/parts/:part',
  pathParameters: { account: number, part: number },
  summary: 'Two read models',
  tag: 'test',
  parameters: {},
  maxAge: 3,
  body: {},
  answers: [
    {
      reads: { entities, balances: balances2 },
      answer: async () => ({ body: '"version 2 of balances"' }),
    },
    {
      reads: { entities, balances },
      answer: async ({ params: { account, part } }, { rows, checkpoint }) => {
        const [entity] = await rows.entities.get('entities', [[account]], ['memo'])
        const [balance] = await rows.balances.get('balances', [[account]], ['amount'])
        expectTypeOf(entity?.memo).toEqualTypeOf<string | null | undefined>()
        expectTypeOf(balance?.amount).toEqualTypeOf<bigint | undefined>()
        if (part > 9n) return { status: 206, body: '"only a part"' }
        if (part === 5n) throw notFound('No such part')
        return {
          body: `"${entity?.memo} ${balance?.amount} part ${part} at ${checkpoint.position} ${checkpoint.time}"`,
          ...(part === 7n && { tag: 'seven' }),
        }
      },
    },
  ],
})

const apps: ReturnType<typeof createApp>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

function openApp(routes: readonly ApiRoute[], versions = {}, settings: Partial<HttpSettings> = {}) {
  const newest = { balances: { position: 30, time: 30n * second } }
  const readers = {
    entities: rowReaderFake(
      { entities: [{ id: 7n, memo: 'seven' }] },
      { position: 20, time: 20n * second },
      { entities: ['id'] },
    ),
    balances: {
      ...rowReaderFake({ balances: [{ id: 7n, amount: 70n }] }, newest.balances, { balances: ['id'] }),
      checkpoint: async () => newest.balances,
    },
  }
  const app = createApp({
    models: fixedModels(readers, { entities: 1, balances: 1, ...versions }),
    settings: { ...defaultHttpSettings, docs: false, maxWaitMs: 20, ...settings },
    clock: { now: () => 0 },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
    routes,
  })
  apps.push(app)
  return { app, newest }
}

describe('a route that joins read models', () => {
  it('reads all of them as of the smallest checkpoint, which is its freshness', async () => {
    const { app } = openApp([joined])
    const answer = await app.inject('/api/v1/accounts/7/parts/1')
    expect(answer.json()).toBe('seven 70 part 1 at 20 20000000000')
    expect(answer.headers['ledger-consensus-timestamp']).toBe('20.000000000')
    expect(answer.headers['cache-control']).toBe('public, max-age=3')
  })

  it('waits until all of them have reached the time that is asked for', async () => {
    const { app } = openApp([joined])
    const ask = async (time: string) =>
      (await app.inject({ url: '/api/v1/accounts/7/parts/1', headers: { 'ledger-wait-for': time } })).statusCode
    expect(await ask('20.0')).toBe(200)
    expect(await ask('25.0')).toBe(503)
  })

  it('answers by the first entry of which all versions serve, and not at all where none does', async () => {
    const ask = async (versions: object) => await openApp([joined], versions).app.inject('/api/v1/accounts/7/parts/1')
    expect((await ask({ balances: 2 })).json()).toBe('version 2 of balances')
    expect((await ask({ balances: 3 })).statusCode).toBe(503)
    expect((await ask({ entities: 2 })).statusCode).toBe(503)
    expect(answerable([joined], [entities, balances, balances2, { name: 'balances', version: 3 }])).toEqual([
      entities,
      balances,
      balances2,
    ])
  })

  it('tells bodies apart by their digest, and what has a tag by that and its instances', async () => {
    const { app } = openApp([joined])
    const tagOf = async (url: string) => (await app.inject(`/api/v1/accounts/${url}`)).headers['etag']
    expect(await tagOf('7/parts/1')).toMatch(/^W\/"[\w-]{20}"$/)
    expect(await tagOf('7/parts/1')).toBe(await tagOf('7/parts/1?'))
    expect(await tagOf('7/parts/1')).not.toBe(await tagOf('7/parts/2'))
    expect(await tagOf('7/parts/7')).toBe('W/"1+1-seven"')
    const again = { url: '/api/v1/accounts/7/parts/1', headers: { 'if-none-match': (await tagOf('7/parts/1')) ?? '' } }
    expect((await app.inject(again)).statusCode).toBe(304)
  })

  it('keeps an answer only while none of them moves', async () => {
    const { app, newest } = openApp([joined])
    const ask = async () => (await app.inject('/api/v1/accounts/7/parts/1')).json()
    const before = [await ask(), await ask(), await ask()]
    expect(new Set(before).size).toBe(1)
    await nextTurn()
    newest.balances = { position: 10, time: 10n * second }
    expect(await ask()).toBe('seven 70 part 1 at 10 10000000000')
  })

  it('has statuses of its own, and names each wrong part of its path', async () => {
    const { app } = openApp([joined])
    const ask = async (path: string) => {
      const { statusCode, body } = await app.inject(`/api/v1/accounts/${path}`)
      return [statusCode, JSON.parse(body)]
    }
    const messages = (...texts: string[]) => ({ _status: { messages: texts.map((message) => ({ message })) } })
    expect(await ask('7/parts/10')).toEqual([206, 'only a part'])
    expect(await ask('7/parts/5')).toEqual([404, messages('No such part')])
    expect(await ask('x/parts/y')).toEqual([400, messages('Invalid parameter: account', 'Invalid parameter: part')])
    expect(await ask('7/parts/1?z=1')).toEqual([400, messages('Unknown query parameter: z')])
    expect(await ask('x/parts/1?z=1')).toEqual([400, messages('Unknown query parameter: z')])
  })
})

it('refuses to be defined with other parameters than its path has, or read models under other names', () => {
  const parts = { summary: '', tag: '', parameters: {}, maxAge: 1, body: {} }
  const answer = async () => ({ body: '' })
  expect(() => defineRoute({ ...parts, path: '/a/:b', answers: [{ reads: { entities }, answer }] })).toThrow('/a/:b')
  expect(() => defineRoute({ ...parts, path: '/a', answers: [{ reads: { others: entities }, answer }] })).toThrow(
    '/a reads entities as others',
  )
})

it('checks path and query in the order that the route says, a lookup before the query where it says so', async () => {
  const route = (checksFirst: 'query' | 'path' | 'lookup') =>
    defineRoute({
      path: `/${checksFirst}/:id`,
      pathParameters: { id: number },
      summary: '',
      tag: '',
      checksFirst,
      parameters: {},
      maxAge: 1,
      body: {},
      answers: [
        {
          reads: { entities },
          answer: async ({ params: { id } }) => {
            if (id === 404n) throw notFound()
            return { body: '""' }
          },
        },
      ],
    })
  const { app } = openApp([route('query'), route('path'), route('lookup')])
  const first = async (path: string) => (await app.inject(`/api/v1/${path}`)).json()._status.messages[0].message
  expect(await first('query/x?z=1')).toBe('Unknown query parameter: z')
  expect(await first('path/x?z=1')).toBe('Invalid parameter: id')
  expect(await first('path/404?z=1')).toBe('Unknown query parameter: z')
  expect(await first('lookup/404?z=1')).toBe('Not found')
  expect(await first('lookup/x?z=1')).toBe('Invalid parameter: id')
  // What the answer never asked for is refused all the same.
  expect(await first('lookup/1?z=1')).toBe('Unknown query parameter: z')
})

describe('a route that takes a body', () => {
  const texts = { description: 'What is asked', bytesMax: 100, schema: {} }
  const numbers: Payload<number[]> = {
    ...texts,
    types: ['application/json'],
    parse: (body) =>
      /^\[[\d,]*\]$/.test(String(Buffer.from(body))) ? JSON.parse(String(Buffer.from(body))) : undefined,
  }
  const parts = { summary: '', tag: '', parameters: {}, maxAge: 1, body: {}, method: 'POST' } as const
  const bytes = defineRoute({
    ...parts,
    path: '/bytes',
    dialect: 'B',
    payload: { ...texts, types: ['application/protobuf', 'application/x-protobuf'], parse: (body) => body },
    answers: [
      { reads: { entities }, answer: async ({ payload }) => ({ body: `"${Buffer.from(payload).toString('hex')}"` }) },
    ],
  })
  const json = defineRoute({
    ...parts,
    path: '/json',
    payload: numbers,
    answers: [
      {
        reads: { entities },
        answer: async ({ payload }) => {
          expectTypeOf(payload).toEqualTypeOf<number[]>()
          if (payload.length === 0) throw invalidParameter('payload')
          return { body: String(payload.reduce((sum, each) => sum + each, 0)) }
        },
      },
    ],
  })

  async function post(url: string, type: string, payload: Buffer | string) {
    const { app } = openApp([bytes, json])
    const answer = await app.inject({
      method: 'POST',
      url: `/api/v1/${url}`,
      headers: { 'content-type': type },
      payload,
    })
    return [answer.statusCode, JSON.parse(answer.body)]
  }

  it('is given bytes as they are, or what the JSON says', async () => {
    expect(await post('bytes', 'application/x-protobuf', Buffer.from([1, 2, 255]))).toEqual([200, '0102ff'])
    expect(await post('json', 'application/json; charset=utf-8', '[1,2,3]')).toEqual([200, 6])
  })

  it('refuses other types, nothing, what cannot be read, and what is too long', async () => {
    const detail = async (...asked: Parameters<typeof post>) => {
      const [status, body] = await post(...asked)
      return [status, body._status.messages[0].detail ?? body._status.messages[0].message]
    }
    expect(await detail('bytes', 'text/plain; charset=UTF-8', 'x')).toEqual([
      415,
      "Content-Type 'text/plain;charset=UTF-8' is not supported",
    ])
    expect(await detail('bytes', 'application/protobuf', '')).toEqual([400, 'Failed to read request'])
    expect(await detail('json', 'application/json', '{')).toEqual([400, 'Failed to read request'])
    expect(await detail('json', 'application/json', '{}')).toEqual([400, 'Failed to read request'])
    expect((await post('bytes', 'application/protobuf', Buffer.alloc(101)))[0]).toBe(413)
  })

  it('answers no other method, in the words of its dialect', async () => {
    const { app } = openApp([bytes, json])
    const [ofB, ofA] = [await app.inject('/api/v1/bytes'), await app.inject('/api/v1/json')]
    expect([ofB.statusCode, ofB.json()]).toEqual([
      405,
      { _status: { messages: [{ message: 'Method Not Allowed', detail: "Request method 'GET' is not supported" }] } },
    ])
    expect([ofA.statusCode, ofA.json()]).toEqual([404, { _status: { messages: [{ message: 'Not found' }] } }])
  })

  it('is described with its body', async () => {
    const { app } = openApp([bytes], {}, { docs: true })
    const { paths } = (await app.inject('/api/v1/docs/openapi.json')).json()
    const { requestBody, responses } = paths['/api/v1/bytes'].post
    expect(Object.keys(requestBody.content)).toEqual(['application/protobuf', 'application/x-protobuf'])
    expect(Object.keys(responses)).toContain('415')
    expect(Object.keys(paths['/api/v1/bytes'])).toEqual(['post'])
  })
})
