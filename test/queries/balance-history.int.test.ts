import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { accountCreated, transaction } from '#test/projections/entities/story.ts'
import { alice, bob, recordOf, transactionRecorded } from '#test/support/events.ts'

const gold = 2_001n
const silver = 2_002n
const moved = (time: bigint, amount: bigint) =>
  recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: time, transfers: [[alice, amount]] }))

/** One tinybar more at every hundredth nanosecond. */
const changes = 200
const start = 1_000n
const timeOf = (change: number) => start + 100n * BigInt(change)
const last = timeOf(changes - 1)

let ledger: TestLedger
let app: FastifyInstance
beforeAll(async () => {
  ledger = await openTestLedger()
  const tokenTransfers = [{ tokenId: gold, accountId: alice, amount: 7n, isApproval: false }]
  await ledger.record([
    accountCreated(start - 10n, alice),
    ...Array.from({ length: changes }, (_, change) => moved(timeOf(change), 1n)),
    transaction(last + 1n, 14, null, { tokenTransfers: [{ ...tokenTransfers[0]!, tokenId: silver }] }),
    transaction(last + 1n, 40, alice, { tokenAssociate: { tokens: [{ tokenNum: gold }] }, tokenTransfers }),
    transaction(last + 5n, 41, alice, { tokenDissociate: { tokens: [{ tokenNum: gold }] } }),
    accountCreated(last + 100n, bob),
  ])
  app = ledger.app()
})
afterAll(() => ledger.close())

/** Nanoseconds and balances. */
async function history(query = '', account = alice) {
  const answer = await app.inject(`/api/v1/accounts/${account}/balances${query}`)
  const body = answer.json()
  const points = body.balances?.map(({ timestamp, balance }: { timestamp: string; balance: number | null }) => [
    Number(timestamp.split('.')[1]),
    balance,
  ])
  return { ...body, status: answer.statusCode, points }
}
const stamp = (time: bigint) => `0.${String(time).padStart(9, '0')}`

describe('/accounts/{id}/balances', () => {
  it('has every change, and what the balance was when the window begins', async () => {
    const query = `?timestamp=gte:${stamp(timeOf(60) + 1n)}&timestamp=lte:${stamp(timeOf(63))}`
    expect(await history(query)).toMatchObject({
      account: `0.0.${alice}`,
      token_id: null,
      every_change: true,
      points: [
        [Number(timeOf(60)) + 1, 61],
        [Number(timeOf(61)), 62],
        [Number(timeOf(62)), 63],
        [Number(timeOf(63)), 64],
      ],
    })
  })

  it('has all changes since the first, of what was put away long ago as of what is new', async () => {
    const { every_change, points } = await history('?limit=1000')
    expect(every_change).toBe(true)
    expect(points).toEqual([
      [Number(start) - 10, 0],
      ...Array.from({ length: changes }, (_, change) => [Number(timeOf(change)), change + 1]),
    ])
  })

  it.each([2, 5, 50])('where they are more than %i, has so many instants in equal distances', async (limit) => {
    const { every_change, points } = await history(`?limit=${limit}&timestamp=lte:${stamp(last)}`)
    expect(every_change).toBe(false)
    expect(points).toHaveLength(limit)
    expect(points[0]).toEqual([Number(start) - 10, 0])
    expect(points.at(-1)).toEqual([Number(last), changes])
    const middle = points[Math.floor(limit / 2)] as [number, number]
    expect(middle[1]).toBe(Math.floor((middle[0] - Number(start)) / 100) + 1)
  })

  it('shows the units of a token, and none while the account may not hold it', async () => {
    expect(await history(`?token.id=${gold}`)).toMatchObject({
      token_id: `0.0.${gold}`,
      points: [
        [Number(last) + 1, 7],
        [Number(last) + 5, null],
      ],
    })
  })

  it('shows no units of a token that moved before anything told how many there were', async () => {
    expect(await history(`?token.id=${silver}`)).toMatchObject({ points: [[Number(last) + 1, null]] })
  })

  it('is empty where nothing is known, before the first change, and in a window that ends before it begins', async () => {
    expect((await history('', 999n)).points).toEqual([])
    expect((await history('?timestamp=lt:0.000000900')).points).toEqual([])
    expect((await history('?timestamp=gt:0.000002000&timestamp=lt:0.000001500')).points).toEqual([])
    expect((await history('', bob)).points).toEqual([[Number(last) + 100, 0]])
  })

  it.each(['limit=1', 'timestamp=5', 'timestamp=ne:5', 'token.id=gt:5'])('refuses ?%s', async (query) => {
    const [name] = query.split('=')
    expect(await history(`?${query}`)).toMatchObject({
      status: 400,
      _status: { messages: [{ message: `Invalid parameter: ${name}` }] },
    })
  })
})
