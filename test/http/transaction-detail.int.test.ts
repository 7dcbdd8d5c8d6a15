import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transactionRoutes } from '#queries/transactions/routes.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { alice, bob, recordOf, transactionRecorded } from '#test/support/events.ts'
import { readerStandingAt } from '#test/support/reader-standing-at.ts'

const second = 1_000_000_000n
const minute = 60n * second
const validStart = 1_700_000_000n * second
const id = '0.0.1001-1700000000-000000000'
const scheduleCreate = 42
const atomicBatch = 74
let ledger: TestLedger

beforeEach(async () => {
  ledger = await openTestLedger(transactionRoutes)
})
afterEach(() => ledger.close())

type Sketch = Parameters<typeof transactionRecorded>[0] & { readonly after: bigint }

/** Records transactions with the id, each some nanoseconds after the valid start. */
async function given(...sketches: readonly Sketch[]): Promise<void> {
  const events = sketches.map(({ after, ...fields }) =>
    transactionRecorded({ validStartTimestamp: validStart, ...fields, consensusTimestamp: validStart + after }),
  )
  await ledger.record(events.map((event) => recordOf('TransactionRecorded', event)))
}

/** Nanoseconds after the valid start of the transactions found; the status when it is not 200. */
async function found(path: string): Promise<bigint[] | number> {
  const answer = await ledger.app().inject(`/api/v1/transactions/${path}`)
  if (answer.statusCode !== 200) return answer.statusCode
  const { transactions } = answer.json() as { transactions: { consensus_timestamp: string }[] }
  return transactions.map(({ consensus_timestamp: time }) => BigInt(time.replace('.', '')) - validStart)
}

describe('lookup by id', () => {
  it('finds duplicates and children in consensus order, and filters them', async () => {
    await given({ after: 5n }, { after: 1n, nonce: 1 }, { after: 9n, result: 11 }, { after: 7n, payerAccountId: bob })
    expect(await found(id)).toEqual([1n, 5n, 9n])
    expect(await found(`${id}?nonce=1`)).toEqual([1n])
    expect(await found(`${id}?nonce=2`)).toBe(404)
    expect(await found(`${id}?scheduled=true`)).toBe(404)
  })

  it('looks from one second before the valid start to 35 minutes after it', async () => {
    await given({ after: -second }, { after: 35n * minute })
    expect(await found(id)).toEqual([-second, 35n * minute])
    await given({ after: 35n * minute + 1n })
    expect(await found(id)).toEqual([-second, 35n * minute])
  })

  it('looks 89,285 minutes ahead for the execution of a created schedule', async () => {
    const late = 89_285n * minute
    await given({ after: 1n, type: scheduleCreate }, { after: late, scheduled: true })
    expect(await found(id)).toEqual([1n, late])
    expect(await found(`${id}?scheduled=false`)).toEqual([1n])
    expect(await found(`${id}?scheduled=true`)).toEqual([late])
  })

  it('does not look so far ahead when the schedule was not created', async () => {
    await given({ after: 1n, type: scheduleCreate, result: 10 }, { after: 36n * minute, scheduled: true })
    expect(await found(id)).toEqual([1n])
  })

  it('keeps the answer short while the execution of a young schedule is to come', async () => {
    await given({ after: 1n, type: scheduleCreate })
    const maxAge = async (now: bigint) => {
      const app = ledger.app({}, { clock: { now: () => Number((validStart + now) / 1_000_000n) } })
      return (await app.inject(`/api/v1/transactions/${id}`)).headers['cache-control']
    }
    expect(await maxAge(minute)).toBe('public, max-age=5')
    expect(await maxAge(90_000n * minute)).toBe('public, max-age=600')
    await given({ after: 10n * second, scheduled: true })
    expect(await maxAge(minute)).toBe('public, max-age=600')
  })

  it('is kept by no cache for long while more of its block may come', async () => {
    await given({ after: 1n })
    const { transactions } = ledger.readers
    const end = { position: 1, time: validStart + 1n }
    const maxAge = async (checkpoint: Checkpoint) => {
      const readers = { ...ledger.readers, transactions: readerStandingAt(transactions, () => checkpoint) }
      const answer = await ledger.app({}, { readers }).inject(`/api/v1/transactions/${id}`)
      return [answer.statusCode, answer.headers['cache-control']]
    }
    expect(await maxAge(end)).toEqual([200, 'public, max-age=10'])
    expect(await maxAge({ ...end, whole: end })).toEqual([200, 'public, max-age=600'])
  })

  it('brings the inner transactions of a batch with their children, but not by hash', async () => {
    const inner = { payerAccountId: bob, validStartTimestamp: validStart + 50n, batchKey: null }
    await given(
      {
        after: 1n,
        type: atomicBatch,
        innerTransactions: [{ payerAccountId: bob, validStartTimestamp: validStart + 50n }],
      },
      { after: 2n, ...inner },
      { after: 3n, ...inner, nonce: 1 },
      { after: 4n, payerAccountId: bob },
    )
    expect(await found(id)).toEqual([1n, 2n, 3n])
    const [batch] = (await ledger.app().inject(`/api/v1/transactions/${id}`)).json().transactions
    expect(await found(encodeURIComponent(batch.transaction_hash))).toEqual([1n])
  })

  it('brings the inner transactions only with their batch: where the filters pass it, and then pass them', async () => {
    const inner = { payerAccountId: bob, validStartTimestamp: validStart + 50n, batchKey: null }
    const innerTransactions = [{ payerAccountId: bob, validStartTimestamp: validStart + 50n }]
    await given(
      { after: 1n, type: atomicBatch, innerTransactions },
      { after: 2n, ...inner },
      { after: 3n, ...inner, nonce: 1 },
      { after: 4n, ...inner, scheduled: true },
    )
    expect(await found(`${id}?nonce=0`)).toEqual([1n, 2n, 4n])
    expect(await found(`${id}?scheduled=false`)).toEqual([1n, 2n, 3n])
    expect(await found(`${id}?nonce=1`)).toBe(404)
    expect(await found(`${id}?scheduled=true`)).toBe(404)
  })
})

describe('lookup by hash', () => {
  it('compares all 48 bytes, in every form', async () => {
    const hash = Buffer.alloc(48, 0xfb)
    const similar = Buffer.concat([hash.subarray(0, 47), Buffer.of(1)])
    await given(
      { after: 1n, transactionHash: hash },
      { after: 2n, transactionHash: similar },
      { after: 3n, transactionHash: hash },
    )
    for (const form of [
      hash.toString('hex'),
      `0x${hash.toString('hex')}`,
      hash.toString('base64url'),
      encodeURIComponent(hash.toString('base64')),
    ]) {
      expect(await found(form)).toEqual([1n, 3n])
    }
    expect(await found('00'.repeat(48))).toBe(404)
  })
})

it('adds assessed custom fees to transactions that have some', async () => {
  const fee = { amount: 9n, collectorAccountId: bob, tokenId: null, effectivePayerAccountIds: [alice] }
  await given({ after: 1n, assessedCustomFees: [fee] }, { after: 2n, nonce: 1 })
  const { transactions } = (await ledger.app().inject(`/api/v1/transactions/${id}`)).json()
  expect(transactions[0].assessed_custom_fees).toEqual([
    { amount: 9, collector_account_id: '0.0.1002', effective_payer_account_ids: ['0.0.1001'], token_id: null },
  ])
  expect(transactions[1]).not.toHaveProperty('assessed_custom_fees')
})
