import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transactionRoutes } from '#queries/transactions/routes.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
const accounts = [1_001n, 1_002n, 1_003n, 1_004n]
let ledger: TestLedger
let events: TransactionRecorded[]

/** Transactions of all kinds, spread without chance: who pays, who gets, what fails. */
function eventAt(index: number): TransactionRecorded {
  const payer = accounts[index % 3]!
  const receiver = accounts[(index * 7 + 1) % 4]!
  return transactionRecorded({
    consensusTimestamp: start + BigInt(index * index) * second,
    payerAccountId: payer,
    type: [14, 27, 14, 42, 99][index % 5]!,
    result: index % 4 === 3 ? 10 : 22,
    nonce: index % 6 === 5 ? 1 : 0,
    transfers:
      index % 5 === 1
        ? []
        : [
            [payer, -3n],
            [receiver, 2n],
            [98n, 1n],
          ],
  })
}

beforeAll(async () => {
  ledger = await openTestLedger(transactionRoutes)
  events = Array.from({ length: 120 }, (_, index) => eventAt(index))
  await ledger.record(events.map((event) => recordOf('TransactionRecorded', event)))
})

afterAll(() => ledger.close())

async function walk(app: FastifyInstance, url: string): Promise<string[]> {
  const times: string[] = []
  for (let next: string | null = url; next !== null; ) {
    const body = (await app.inject(next)).json() as {
      transactions: { consensus_timestamp: string }[]
      links: { next: string | null }
    }
    times.push(...body.transactions.map(({ consensus_timestamp: time }) => time))
    expect(times.length).toBeLessThanOrEqual(events.length)
    next = body.links.next
  }
  return times
}

interface Ask {
  readonly account: bigint | undefined
  readonly operator: string
  readonly sign: 'credit' | 'debit' | undefined
  readonly result: 'success' | 'fail' | undefined
  readonly type: string | undefined
}

const ask: fc.Arbitrary<Ask> = fc.record({
  account: fc.option(fc.constantFrom(...accounts, 98n, 5n), { nil: undefined }),
  operator: fc.constantFrom('', 'gt:', 'gte:', 'lt:', 'lte:', 'ne:'),
  sign: fc.option(fc.constantFrom('credit', 'debit'), { nil: undefined }),
  result: fc.option(fc.constantFrom('success', 'fail'), { nil: undefined }),
  type: fc.option(fc.constantFrom('CRYPTOTRANSFER', 'consensussubmitmessage', 'UNKNOWN'), { nil: undefined }),
})

function queryOf({ account, operator, sign, result, type }: Ask): string {
  return [
    account === undefined ? '' : `account.id=${operator}${account}`,
    sign === undefined ? '' : `type=${sign}`,
    result === undefined ? '' : `result=${result}`,
    type === undefined ? '' : `transactiontype=${type}`,
  ]
    .filter((part) => part !== '')
    .join('&')
}

const compares: Record<string, (a: bigint, b: bigint) => boolean> = {
  '': (a, b) => a === b,
  'gt:': (a, b) => a > b,
  'gte:': (a, b) => a >= b,
  'lt:': (a, b) => a < b,
  'lte:': (a, b) => a <= b,
  'ne:': (a, b) => a !== b,
}

/** The rules of the account filter written down once more, over the events instead of the read model. */
function matches(event: TransactionRecorded, { account, operator, sign, result, type }: Ask): boolean {
  const ofSign = (amount: bigint) => sign === undefined || (sign === 'credit' ? amount > 0n : amount < 0n)
  const ofAccount = (id: bigint) => account === undefined || compares[operator]!(id, account)
  const moved = event.transfers.some(({ accountId, amount }) => ofSign(amount) && ofAccount(accountId))
  const paid = sign === undefined && event.nonce === 0 && ofAccount(event.payerAccountId)
  if ((account !== undefined || sign !== undefined) && !moved && !paid) return false
  if (result !== undefined && (event.result === 22) !== (result === 'success')) return false
  const types: Record<string, number> = { CRYPTOTRANSFER: 14, consensussubmitmessage: 27, UNKNOWN: 99 }
  return type === undefined || event.type === types[type]
}

it('visits each matching transaction once, forwards and backwards, whatever the filters and the page size', async () => {
  const app = ledger.app()
  await fc.assert(
    fc.asyncProperty(ask, fc.integer({ min: 1, max: 40 }), async (asked, limit) => {
      const query = `limit=${limit}&${queryOf(asked)}`
      const backwards = await walk(app, `/api/v1/transactions?${query}`)
      const forwards = await walk(app, `/api/v1/transactions?${query}&order=asc`)
      const expected = events
        .filter((event) => matches(event, asked))
        .map(({ consensusTimestamp: time }) => `${time / second}.000000000`)
      expect(forwards).toEqual(expected)
      expect(backwards).toEqual(expected.toReversed())
    }),
    { numRuns: 150 },
  )
})

it('visits the same transactions when lists look through bounded windows', async () => {
  const app = ledger.app(
    { bindTimestampRange: true, timeRangeMaxNs: 1_000n * second },
    { clock: { now: () => 1_700_020_000_000 } },
  )
  const all = await walk(app, '/api/v1/transactions?limit=7&order=asc')
  expect(all).toHaveLength(events.length)
  expect(await walk(app, '/api/v1/transactions?limit=7')).toEqual(all.toReversed())
})
