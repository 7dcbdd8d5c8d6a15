import { describe, expect, it } from 'vitest'
import type { Filter } from '#queries/common/parameters.ts'
import { selectionOf } from '#queries/common/range.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { narrowTypes } from '#queries/transactions/find-transactions.ts'
import { narrowAccounts } from '#queries/transactions/narrow-accounts.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'
import { contextOfPostings } from '#test/support/postings.ts'

/** A ledger in which each account occurs once. */
function contextOf(accounts: readonly bigint[]): Promise<TransactionContext> {
  const placed = accounts.map((term, index) => {
    return { kind: 0, term, type: 14, flags: 1, success: true, sequence: index + 1, time: BigInt(index) }
  })
  return contextOfPostings(placed, { position: 1_000, time: 1_000n })
}

function criteriaOf(comparisons: readonly Filter<bigint>[], lower = 0n): Criteria {
  return {
    accounts: { oneOf: undefined, range: selectionOf(comparisons, minInt64) },
    tokens: undefined,
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
  const few = contextOf([-5n, 7n, 8n, 8n, 9n])

  it('becomes the accounts that occur in it', async () => {
    expect(await accountsOf(criteriaOf([{ operator: 'gt', value: 7n }]), await few)).toEqual([8n, 9n])
    expect(await accountsOf(criteriaOf([{ operator: 'lte', value: 7n }]), await few)).toEqual([-5n, 7n])
    const between = criteriaOf([
      { operator: 'gte', value: 7n },
      { operator: 'lt', value: 9n },
      { operator: 'ne', value: 7n },
    ])
    expect(await accountsOf(between, await few)).toEqual([8n])
  })

  it('becomes nothing when no account is in it', async () => {
    expect(await accountsOf(criteriaOf([{ operator: 'gt', value: 1_000n }]), await few)).toEqual([])
  })

  it('stays as it is when many accounts are in it', async () => {
    const many = await contextOf(Array.from({ length: 600 }, (_, index) => BigInt(100 + index)))
    expect(await accountsOf(criteriaOf([{ operator: 'gt', value: 7n }]), many)).toBeUndefined()
  })
})

describe('a condition on types without a name', () => {
  it('becomes the numbers that occur and meet it', async () => {
    const placed = [14n, 65n, 14n, 60_000n].map((term, index) => {
      return { kind: 1, term, type: Number(term), flags: 0, success: true, sequence: index + 1, time: BigInt(index) }
    })
    const context = await contextOfPostings(placed, { position: 4, time: 4n })
    const types = { numbers: undefined, matches: (type: number) => type > 14 }
    const narrowed = await narrowTypes({ ...criteriaOf([]), accounts: undefined, types }, context)
    expect(narrowed.types?.numbers).toEqual([65, 60_000])
  })
})
