import { postingKind } from '#projections/transactions/schema.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { type Criteria, meets } from '#queries/transactions/criteria.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { postingKey, segmentsWithin } from '#queries/transactions/segments.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

/** A range that holds more accounts than this, within the time asked for, is better searched row by row. */
const accountsMax = 32

/**
 * Turns an account range into the few accounts that occur in it, where they are few: then their posting lists lead to
 * the transactions, however rare those are. Criteria of any other kind come back as they are.
 */
export async function narrowAccounts(criteria: Criteria, context: TransactionContext): Promise<Criteria> {
  const { accounts } = criteria
  if (accounts === undefined || accounts.oneOf !== undefined) return criteria
  const found = await accountsWithin(criteria, accounts.comparisons, context)
  return found === undefined ? criteria : { ...criteria, accounts: { oneOf: found, comparisons: [] } }
}

async function accountsWithin(
  { time }: Criteria,
  comparisons: readonly Filter<bigint>[],
  context: TransactionContext,
): Promise<bigint[] | undefined> {
  const { lower, upper } = bounds(comparisons)
  const found = new Set<bigint>()
  const { from, to } = await segmentsWithin(context, time.lower, time.upper)
  const kinds = context.settings.nftOnlyMatches ? [postingKind.account, postingKind.nftParty] : [postingKind.account]
  for (let segment = to; segment >= from; segment--) {
    for (const kind of kinds) {
      let next: bigint | undefined = lower
      while (next !== undefined && next <= upper) {
        const term = await firstTerm([segment, kind], next, upper, context)
        if (term !== undefined && meets(term, comparisons)) found.add(term)
        if (found.size > accountsMax) return undefined
        next = term === undefined ? undefined : term + 1n
      }
    }
    await context.pause()
  }
  return [...found]
}

function bounds(comparisons: readonly Filter<bigint>[]): { lower: bigint; upper: bigint } {
  let lower = minInt64
  let upper = maxInt64
  for (const { operator, value } of comparisons) {
    if ((operator === 'gt' || operator === 'gte') && value > lower) lower = value
    if ((operator === 'lt' || operator === 'lte') && value < upper) upper = value
  }
  return { lower, upper }
}

async function firstTerm(
  prefix: readonly [segment: number, kind: number],
  lower: bigint,
  upper: bigint,
  { rows }: TransactionContext,
): Promise<bigint | undefined> {
  const [row] = await rows.transactions.find({
    collection: 'postings',
    index: postingKey,
    prefix,
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    limit: 1,
    select: ['term'],
  })
  return row?.term
}
