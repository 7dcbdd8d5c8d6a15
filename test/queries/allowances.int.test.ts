import { afterEach, describe, expect, it } from 'vitest'
import { allowancesProjection } from '#projections/allowances/projection.ts'
import { allowanceRoutes } from '#queries/allowances/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { type ModelApp, openModelApp } from '#test/http/model-app.ts'
import { approved, type Entry, spent } from '#test/projections/allowances/story.ts'
import { alice, bob } from '#test/support/events.ts'

const apps: ModelApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function open(records: readonly LogRecord[], boundTime?: bigint): Promise<ModelApp> {
  const app = await openModelApp(allowancesProjection, allowanceRoutes, records, boundTime)
  apps.push(app)
  return app
}

interface Shown {
  readonly spender: string
  readonly token_id?: string
  readonly amount: number
}

/** Numbers of spender and token, and the amount; of every page. */
async function listed(app: ModelApp, path: string): Promise<number[][]> {
  const found: number[][] = []
  for (let next: string | null = `/api/v1/accounts/${alice}/allowances/${path}`; next !== null; ) {
    const body: Record<string, unknown> = await app.get(next)
    for (const { spender, token_id: token, amount } of body['allowances'] as Shown[])
      found.push([spender, ...(token ? [token] : [])].map((id) => Number(id.split('.')[2])).concat(amount))
    next = (body['links'] as { next: string | null }).next
  }
  return found
}

const hbar = (spender: bigint, amount: bigint): Entry => ({ owner: alice, spender, amount })
const tokens = (spender: bigint, token: bigint, amount: bigint): Entry => ({ owner: alice, spender, token, amount })

describe('/accounts/{id}/allowances/crypto', () => {
  const three = approved(10n, alice, [hbar(11n, 1n), hbar(12n, 2n), hbar(13n, 3n), tokens(12n, 21n, 9n)])

  it('shows what is left beside what was granted when', async () => {
    const app = await open([three, spent(20n, 13n, [{ owner: alice, amount: 1n }])])
    const { allowances } = await app.get(`/api/v1/accounts/${alice}/allowances/crypto?limit=1`)
    expect(allowances).toEqual([
      {
        amount: 2,
        amount_granted: 3,
        owner: `0.0.${alice}`,
        spender: '0.0.13',
        timestamp: { from: '0.000000010', to: null },
      },
    ])
  })

  it.each([
    [
      'limit=1',
      [
        [13, 3],
        [12, 2],
        [11, 1],
      ],
    ],
    [
      'limit=1&order=asc',
      [
        [11, 1],
        [12, 2],
        [13, 3],
      ],
    ],
    [
      'spender.id=gte:12',
      [
        [13, 3],
        [12, 2],
      ],
    ],
    [
      'spender.id=13&spender.id=11&spender.id=14',
      [
        [13, 3],
        [11, 1],
      ],
    ],
    ['spender.id=13&spender.id=lt:13', []],
    [`spender.id=0x${'ab'.repeat(20)}`, []],
  ])('pages and filters: ?%s', async (query, expected) => {
    expect(await listed(await open([three]), `crypto?${query}`)).toEqual(expected)
  })

  it('leaves out what is revoked or used up', async () => {
    const app = await open([
      three,
      approved(20n, alice, [hbar(11n, 0n)]),
      spent(30n, 13n, [{ owner: alice, amount: 3n }]),
    ])
    expect(await listed(app, 'crypto')).toEqual([[12, 2]])
  })

  it.each(['asc', 'desc'])(
    'answers as of when the request began, whatever changes while it runs: %s',
    async (order) => {
      const changes = [
        approved(20n, alice, [hbar(11n, 0n), hbar(10n, 7n), hbar(14n, 7n)]),
        spent(21n, 12n, [{ owner: alice, amount: 1n }]),
      ]
      const before = await listed(await open([three]), `crypto?limit=2&order=${order}`)
      expect(before).toHaveLength(3)
      expect(await listed(await open([three, ...changes], 15n), `crypto?limit=2&order=${order}`)).toEqual(before)
    },
  )
})

describe('/accounts/{id}/allowances/tokens', () => {
  const some = approved(10n, alice, [
    hbar(11n, 5n),
    ...[
      [11n, 21n],
      [11n, 22n],
      [12n, 21n],
      [12n, 23n],
      [13n, 21n],
    ].map(([spender = 0n, token = 0n]) => tokens(spender, token, 1n)),
  ])
  const inOrder = [
    [11, 21, 1],
    [11, 22, 1],
    [12, 21, 1],
    [12, 23, 1],
    [13, 21, 1],
  ]

  it.each([
    ['limit=2', inOrder],
    ['limit=2&order=desc', inOrder.toReversed()],
    ['limit=1&spender.id=gte:11&token.id=gt:21', inOrder.slice(1)],
    ['limit=1&order=desc&spender.id=lte:12&token.id=lt:23', inOrder.slice(0, 3).toReversed()],
    ['limit=1&spender.id=gt:11&token.id=21', [inOrder[2], inOrder[4]]],
    ['spender.id=12&token.id=gte:22', [inOrder[3]]],
  ])('is ordered by spender and token, and pages and filters by both: ?%s', async (query, expected) => {
    expect(await listed(await open([some]), `tokens?${query}`)).toEqual(expected)
  })

  it.each([
    ['token.id=21', 'token.id without a spender.id parameter filter'],
    ['spender.id=gt:11&token.id=gt:21', 'spender.id must have gte or eq operator'],
    ['spender.id=gte:11&token.id=lt:21', 'spender.id must have lte or eq operator'],
    ['spender.id=11&spender.id=12', 'Only one equal (eq) operator is allowed for spender.id'],
    ['spender.id=gt:1&spender.id=gte:2', 'Only one gt/gte operator is allowed for spender.id'],
    ['spender.id=lt:1&spender.id=lt:2', 'Only one lt/lte operator is allowed for spender.id'],
    ['spender.id=ne:11', 'Not equal (ne) operator is not supported for spender.id'],
    ['spender.id=11&spender.id=gt:12', "Can't support both range and equal for spender.id"],
  ])('refuses ?%s', async (query, message) => {
    const { _status } = await (await open([])).get(`/api/v1/accounts/${alice}/allowances/tokens?${query}`, 400)
    expect(_status).toEqual({ messages: [{ message }] })
  })

  it('answers as of when the request began, also for one token', async () => {
    const changes = [
      approved(20n, alice, [tokens(12n, 21n, 0n), tokens(12n, 22n, 7n), hbar(12n, 7n)]),
      spent(30n, 11n, [{ owner: alice, token: 21n, amount: 1n }]),
      approved(40n, alice, [tokens(11n, 21n, 8n), { ...tokens(12n, 21n, 8n), owner: bob }]),
    ]
    const app = await open([some, ...changes], 15n)
    expect(await listed(app, 'tokens?limit=2')).toEqual(inOrder)
    expect(await listed(app, 'tokens?limit=1&token.id=21&spender.id=gte:11')).toEqual([
      [11, 21, 1],
      [12, 21, 1],
      [13, 21, 1],
    ])
  })
})
