import { afterEach, describe, expect, it } from 'vitest'
import { airdropsProjection } from '#projections/airdrops/projection.ts'
import { airdropRoutes } from '#queries/airdrops/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { type ModelApp, openModelApp } from '#test/http/model-app.ts'
import { airdropped, cancelled, claimed } from '#test/projections/airdrops/story.ts'
import { alice, bob } from '#test/support/events.ts'

const apps: ModelApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function open(records: readonly LogRecord[], boundTime?: bigint): Promise<ModelApp> {
  const app = await openModelApp(airdropsProjection, airdropRoutes, records, boundTime)
  apps.push(app)
  return app
}

interface Shown {
  readonly receiver_id: string
  readonly token_id: string
  readonly serial_number: number | null
}

const outstanding = `/api/v1/accounts/${alice}/airdrops/outstanding`

/** Numbers of receiver, token and serial (0: none), of every page. */
async function listed(app: ModelApp, path: string): Promise<number[][]> {
  const found: number[][] = []
  for (let next: string | null = path; next !== null; ) {
    const body: Record<string, unknown> = await app.get(next)
    for (const { receiver_id, token_id, serial_number } of body['airdrops'] as Shown[])
      found.push([...[receiver_id, token_id].map((id) => Number(id.split('.')[2])), serial_number ?? 0])
    next = (body['links'] as { next: string | null }).next
  }
  return found
}

const coins = (receiver: bigint, token: bigint) => ({ sender: alice, receiver, token, amount: 5n })
const nft = (receiver: bigint, token: bigint, serial: bigint) => ({ sender: alice, receiver, token, serial })

const some = airdropped(10n, [
  coins(11n, 21n),
  ...[7n, 8n, 9n].map((serial) => nft(11n, 30n, serial)),
  coins(12n, 21n),
  coins(12n, 22n),
  nft(12n, 30n, 1n),
])
const inOrder = [
  [11, 21, 0],
  [11, 30, 7],
  [11, 30, 8],
  [11, 30, 9],
  [12, 21, 0],
  [12, 22, 0],
  [12, 30, 1],
]

describe('/accounts/{id}/airdrops', () => {
  it('shows an airdrop of coins and one of an NFT, from both sides', async () => {
    const app = await open([airdropped(10n, [coins(bob, 21n), nft(bob, 30n, 7n)])])
    const common = {
      receiver_id: `0.0.${bob}`,
      sender_id: `0.0.${alice}`,
      timestamp: { from: '0.000000010', to: null },
    }
    const expected = [
      { ...common, amount: 5, serial_number: null, token_id: '0.0.21' },
      { ...common, amount: null, serial_number: 7, token_id: '0.0.30' },
    ]
    expect(await app.get(outstanding)).toEqual({ airdrops: expected, links: { next: null } })
    expect((await app.get(`/api/v1/accounts/${bob}/airdrops/pending`))['airdrops']).toEqual(expected)
    expect((await app.get(`/api/v1/accounts/${bob}/airdrops/outstanding`))['airdrops']).toEqual([])
  })

  it.each([
    ['limit=2', inOrder],
    ['limit=2&order=desc', inOrder.toReversed()],
    ['limit=1&receiver.id=11&token.id=30', inOrder.slice(1, 4)],
    ['limit=1&receiver.id=gte:11&token.id=gte:30&serialnumber=gt:8', inOrder.slice(3)],
    ['limit=1&order=desc&receiver.id=lte:11&token.id=lte:30&serialnumber=lt:9', inOrder.slice(0, 3).toReversed()],
    ['limit=1&token.id=30', [...inOrder.slice(1, 4), ...inOrder.slice(6)]],
    ['limit=1&serialnumber=8', [[11, 30, 8]]],
    ['token.id=gt:21', inOrder],
    ['receiver.id=ne:11', inOrder],
  ])('is ordered by account, token and serial number, and pages and filters by them: ?%s', async (query, expected) => {
    expect(await listed(await open([some]), `${outstanding}?${query}`)).toEqual(expected)
  })

  it('leaves out what was claimed or cancelled', async () => {
    const app = await open([
      some,
      claimed(20n, [coins(12n, 22n)]),
      cancelled(
        30n,
        [7n, 8n, 9n].map((serial) => nft(11n, 30n, serial)),
      ),
    ])
    expect(await listed(app, `${outstanding}?limit=1`)).toEqual([
      [11, 21, 0],
      [12, 21, 0],
      [12, 30, 1],
    ])
  })

  it('answers as of when the request began, whatever changes while it runs', async () => {
    const changes = [
      claimed(20n, [coins(12n, 22n)]),
      airdropped(30n, [coins(11n, 20n), nft(11n, 30n, 6n), coins(12n, 21n)]),
      cancelled(40n, [nft(11n, 30n, 8n)]),
    ]
    const app = await open([some, ...changes], 15n)
    expect(await listed(app, `${outstanding}?limit=2`)).toEqual(inOrder)
    expect(await listed(app, `${outstanding}?limit=1&token.id=30&order=desc`)).toEqual(
      [...inOrder.slice(1, 4), ...inOrder.slice(6)].toReversed(),
    )
  })

  it.each([
    ['receiver.id=gt:12&receiver.id=lt:13', 'Invalid range provided for account.id'],
    ['receiver.id=1&receiver.id=2&receiver.id=3', 'receiverIds size must be between 0 and 2'],
    ['serialnumber=-1', "Failed to convert 'serialnumber'"],
  ])('refuses ?%s', async (query, detail) => {
    const { _status } = await (await open([])).get(`${outstanding}?${query}`, 400)
    expect(_status).toEqual({ messages: [{ message: 'Bad Request', detail }] })
  })
})
