import { describe, expect, it } from 'vitest'
import { segmentSize, windowSize } from '#projections/transactions/schema.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { narrowAccounts } from '#queries/transactions/narrow-accounts.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { typedRows } from '#src/ports/read-store.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'
import { encodePostings } from '#test/support/postings.ts'

const windowsPerSegment = segmentSize / windowSize

/** A ledger in which each account occurs once, in the window given. */
function contextOf(accounts: readonly (readonly [account: bigint, window: number])[]): TransactionContext {
  const postings = accounts.map(([term, window]) => ({
    segment: Math.floor(window / windowsPerSegment),
    kind: 0,
    term,
    window,
    entries: encodePostings([{ consensusTimestamp: BigInt(window), type: 14, flags: 1, success: true }]),
  }))
  const checkpoint = { position: 3 * segmentSize, time: BigInt(3 * windowsPerSegment) }
  const reader = rowReaderFake({ postings }, checkpoint)
  return {
    rows: { transactions: typedRows(reader) },
    checkpoint,
    settings: defaultQuerySettings,
    now: 0n,
    pause: async () => {},
  }
}

function criteriaOf(comparisons: readonly Filter<bigint>[], lower = 0n): Criteria {
  return {
    accounts: { oneOf: undefined, comparisons },
    sign: undefined,
    success: undefined,
    types: undefined,
    time: { lower, upper: 1_000n, hasLower: lower > 0n, hasUpper: false, equal: [], excluded: [] },
    order: 'desc',
    limit: 25,
    impossible: false,
  }
}

const accountsOf = async (criteria: Criteria, context: TransactionContext) =>
  (await narrowAccounts(criteria, context)).accounts?.oneOf

describe('an account range', () => {
  const few = contextOf([
    [-5n, 0],
    [7n, 1],
    [8n, 70],
    [8n, 130],
    [9n, 140],
  ])

  it('becomes the accounts that occur in it, over all segments', async () => {
    expect(await accountsOf(criteriaOf([{ operator: 'gt', value: 7n }]), few)).toEqual([8n, 9n])
    expect(await accountsOf(criteriaOf([{ operator: 'lte', value: 7n }]), few)).toEqual([-5n, 7n])
    const between = criteriaOf([
      { operator: 'gte', value: 7n },
      { operator: 'lt', value: 9n },
      { operator: 'ne', value: 7n },
    ])
    expect(await accountsOf(between, few)).toEqual([8n])
  })

  it('becomes nothing when no account is in it', async () => {
    expect(await accountsOf(criteriaOf([{ operator: 'gt', value: 1_000n }]), few)).toEqual([])
  })

  it('stays as it is when many accounts are in it', async () => {
    const many = contextOf(Array.from({ length: 40 }, (_, index) => [BigInt(100 + index), index] as const))
    expect(await accountsOf(criteriaOf([{ operator: 'gt', value: 7n }]), many)).toBeUndefined()
  })
})
