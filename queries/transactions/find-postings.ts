import { unpackPosting } from '#projections/transactions/packing.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { listOf } from '#queries/common/lists/list-of.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'

/** Transactions by account, type, failure and token. */
export const postings = listOf(transactionsSchema, 'postings')

export interface PostingFilter {
  /** Inclusive consensus times. */
  readonly lower: bigint
  readonly upper: bigint
  readonly success: boolean | undefined
  readonly matchesType: ((type: number) => boolean) | undefined
  /** At least one of these partyFlag bits; 0 for no condition. */
  readonly flags: number
  /** Times handed over together. */
  readonly batch: number
}

/**
 * Consensus times of the transactions that are on one list of each group with an entry that passes the filter, in the order
 * asked for, in batches, as far as the caller reads.
 */
export async function* findPostings(
  context: TransactionContext,
  groups: readonly (readonly ListTerm[])[],
  { lower, upper, batch, ...filter }: PostingFilter,
  descending: boolean,
): AsyncGenerator<bigint[], void, undefined> {
  const passes = passing(filter)
  const search = { lower, upper, descending, batch, ...(passes && { passes }), sameBy: 'time' } as const
  const [terms = [], ...others] = groups
  const batches =
    others.length === 0
      ? postings.merge(context, { ...search, terms })
      : postings.intersect(context, { ...search, groups })
  for await (const found of batches) yield found.map(({ time }) => time)
}

function passing({ success, matchesType, flags }: Omit<PostingFilter, 'lower' | 'upper' | 'batch'>) {
  if (flags === 0 && success === undefined && matchesType === undefined) return undefined
  return (payload: number): boolean => {
    const posting = unpackPosting(payload)
    if (flags !== 0 && (posting.flags & flags) === 0) return false
    if (success !== undefined && posting.success !== success) return false
    return matchesType === undefined || matchesType(posting.type)
  }
}
