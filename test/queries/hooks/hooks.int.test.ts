import { afterEach, describe, expect, it } from 'vitest'
import { hooksProjection } from '#projections/hooks/projection.ts'
import { hookRoutes } from '#queries/hooks/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { type ModelApp, openModelApp } from '#test/http/model-app.ts'
import { details, executed, hooksUpdated, slot, stored, transaction, word } from '#test/projections/hooks/story.ts'
import { alice, bob } from '#test/support/events.ts'

const apps: ModelApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function open(records: readonly LogRecord[], boundTime?: bigint): Promise<ModelApp> {
  const app = await openModelApp(hooksProjection, hookRoutes, records, boundTime)
  apps.push(app)
  return app
}

const base = `/api/v1/accounts/${alice}/hooks`
const idsOf = ({ hooks }: Record<string, unknown>) => (hooks as { hook_id: number }[]).map(({ hook_id }) => hook_id)
const hex = (key: number) => `0x${Buffer.from(word(key)).toString('hex')}`
/** Number of each key and value, null where nothing was written, and the nanosecond. */
const slotsOf = ({ storage }: Record<string, unknown>) =>
  (storage as { key: string; value: string | null; timestamp: string }[]).map(({ key, value, timestamp }) => [
    Number(key),
    value === null ? null : Number(value),
    Number(timestamp.split('.')[1]),
  ])

describe('/accounts/{id}/hooks', () => {
  const three = [1n, 2n, 3n].map((id) => hooksUpdated(10n * id, alice, [details(id)]))

  it('lists the newest numbers first, deleted hooks too, and none of other accounts', async () => {
    const app = await open([...three, hooksUpdated(40n, alice, [], [2n]), hooksUpdated(50n, bob, [details(9n)])])
    const body = await app.get(base)
    expect(idsOf(body)).toEqual([3, 2, 1])
    expect((body['hooks'] as object[])[1]).toEqual({
      admin_key: null,
      contract_id: '0.0.5001',
      created_timestamp: '0.000000020',
      deleted: true,
      extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
      hook_id: 2,
      owner_id: `0.0.${alice}`,
      timestamp_range: { from: '0.000000040', to: null },
      type: 'EVM',
    })
    expect(body['links']).toEqual({ next: null })
  })

  it('pages through all of them in both directions', async () => {
    const app = await open(three)
    for (const [order, expected] of [
      ['asc', [1, 2, 3]],
      ['desc', [3, 2, 1]],
    ] as const) {
      const seen: number[] = []
      for (let path: string | null = `${base}?limit=1&order=${order}`; path !== null; ) {
        const body: Record<string, unknown> = await app.get(path)
        seen.push(...idsOf(body))
        path = (body['links'] as { next: string | null }).next
      }
      expect(seen).toEqual(expected)
    }
  })

  it('shows hooks as they were when the request began, whatever was committed since', async () => {
    const later = [hooksUpdated(40n, alice, [], [2n]), hooksUpdated(50n, alice, [details(4n)], [3n])]
    const [then, now] = [await open([...three, ...later], 30n), await open(three)]
    for (const query of ['', '?limit=2', '?hook.id=2&hook.id=4', '?order=asc&limit=1'])
      expect(await then.get(base + query)).toEqual(await now.get(base + query))
  })

  it('finds the account by its alias as long as it lives', async () => {
    const alias = Buffer.alloc(20, 0xaa)
    const created = transaction(5n, 11, alice, { cryptoCreateAccount: { alias, hookCreationDetails: [details(1n)] } })
    const path = `/api/v1/accounts/0x${alias.toString('hex')}/hooks`
    expect(idsOf(await (await open([created])).get(path))).toEqual([1])
    const deleted = await open([created, transaction(6n, 12, alice, { cryptoDelete: {} })])
    expect(await deleted.get(path, 404)).toEqual({
      _status: { messages: [{ message: 'Not Found', detail: 'No account found for the given ID' }] },
    })
  })

  it('refuses more than a hundred numbers', async () => {
    const query = Array.from({ length: 101 }, (_, id) => `hook.id=${id}`).join('&')
    expect(JSON.stringify(await (await open(three)).get(`${base}?${query}`, 400))).toContain(
      'hookId size must be between 0 and 100',
    )
  })
})

describe('/accounts/{id}/hooks/{hookId}/storage', () => {
  const path = `${base}/7/storage`
  const story = [
    stored(10n, alice, 7n, [slot(1, 5), slot(2, 6), slot(3, 7)]),
    stored(20n, alice, 7n, [slot(2, null)]),
    stored(30n, alice, 7n, [slot(3, 8), slot(4, 9)]),
  ]

  it('lists what is present, in 32 bytes each', async () => {
    const body = await (await open(story)).get(path)
    expect(slotsOf(body)).toEqual([
      [1, 5, 10],
      [3, 8, 30],
      [4, 9, 30],
    ])
    expect(body).toMatchObject({
      hook_id: 7,
      owner_id: `0.0.${alice}`,
      storage: [{ key: hex(1), value: hex(5) }, {}, {}],
    })
  })

  it('lists for a time the newest change of each slot in the window, removed slots as zero', async () => {
    const app = await open(story)
    const at = async (query: string) => slotsOf(await app.get(`${path}?${query}`))
    expect(await at('timestamp=0.000000025')).toEqual([
      [1, 5, 10],
      [2, 0, 20],
      [3, 7, 10],
    ])
    expect(await at('timestamp=gt:0.000000010&timestamp=lt:0.000000030')).toEqual([[2, 0, 20]])
    // Of two values for one side the later one counts.
    expect(await at('timestamp=lt:0.000000005&timestamp=0.000000025')).toHaveLength(3)
    expect(await at('timestamp=gte:0.000000030&order=desc')).toEqual([
      [4, 9, 30],
      [3, 8, 30],
    ])
    expect(await at('timestamp=0.000000005')).toEqual([])
  })

  it('shows null in the past where a slot was only read', async () => {
    const entries = [{ accountID: { accountNum: alice, alias: null }, preTxAllowanceHook: { hookId: 7n } }]
    const app = await open([
      ...story,
      transaction(40n, 14, null, { cryptoTransfer: { transfers: { accountAmounts: entries } } }),
      executed(41n, 40n, [{ key: 1, read: 5, written: null }]),
    ])
    expect(slotsOf(await app.get(`${path}?timestamp=gt:0.000000030`))).toEqual([[1, null, 41]])
    expect(slotsOf(await app.get(`${path}?key=1`))).toEqual([[1, 5, 10]])
  })

  it('pages over slots that show nothing', async () => {
    const many = Array.from({ length: 20 }, (_, key) => slot(key + 1, 1))
    const app = await open([stored(10n, alice, 7n, many), stored(20n, alice, 7n, [...many.slice(0, 18)])])
    expect(slotsOf(await app.get(`${path}?limit=2&timestamp=lt:0.000000020&timestamp=gt:0.000000005`))).toHaveLength(2)
    const late = await app.get(`${path}?limit=2&timestamp=lt:0.000000015&key=gt:10`)
    expect(late['links']).toEqual({
      next: `${path}?limit=2&timestamp=lt:0.000000015&key=gt:${hex(0x12)}`,
    })
    const rest = await open([
      ...Array.from({ length: 9 }, (_, key) => stored(BigInt(key + 1), alice, 7n, [slot(key, 1)])),
    ])
    expect(slotsOf(await rest.get(`${path}?limit=2&timestamp=gte:0.000000008`))).toEqual([
      [7, 1, 8],
      [8, 1, 9],
    ])
  })

  it('shows the storage as it was when the request began, whatever was committed since', async () => {
    const later = [
      stored(40n, alice, 7n, [slot(1, null), slot(3, 1), slot(5, 1)]),
      stored(50n, alice, 7n, [slot(4, null), slot(2, 2)]),
    ]
    const [then, now] = [await open([...story, ...later], 30n), await open(story)]
    for (const query of ['', '?limit=2', '?limit=1&order=desc', '?key=1&key=2&key=5', '?timestamp=gt:0.000000005'])
      expect(await then.get(path + query)).toEqual(await now.get(path + query))
  })
})
