import { partyFlag } from '#projections/transactions/packing.ts'
import { postingKind, transactionsSchema } from '#projections/transactions/schema.ts'
import { growing, inSteps, type Step } from '#queries/common/in-steps.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import type { AccessPath } from '#queries/common/race.ts'
import { type Selection, without } from '#queries/common/range.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { findPostings, type PostingFilter } from '#queries/transactions/find-postings.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { type RowTest, rowTest, testedFields } from '#queries/transactions/row-test.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'

/** More accounts than this are looked up only when reading rows has not found a page soon. */
const fewAccounts = 32
/** Rows that a scan, or a test of a list's entries, reads at once: from a little more than a page to this many. */
const rowsMax = 2_048
const rowsGrowth = 4

/**
 * The access paths to the consensus times of the transactions that meet the criteria, the most promising one first: posting lists of
 * tokens, which nothing else knows; those of accounts, which know all that can be asked; those of types and of failures, whose entries' rows say who took part; or, where
 * there is none of these, the rows in the order of time.
 */
export function accessPathsTo(criteria: Criteria, context: TransactionContext): AccessPath<bigint>[] {
  const { accounts, tokens, types, success, sign } = criteria
  const paths: AccessPath<bigint>[] = []
  const add = (walk: (criteria: Criteria, context: TransactionContext) => AsyncGenerator<bigint[]>): void => {
    const { time } = context.checkpoint
    paths.push((reads) =>
      walk(criteria, { ...context, rows: { transactions: rowsAt(transactionsSchema, reads, time) } }),
    )
  }
  if (tokens !== undefined) {
    const terms = tokens.map((term) => ({ kind: postingKind.token, term }))
    // What an entry of a token says of the transaction lacks the sign.
    if (accounts?.oneOf !== undefined && accounts.oneOf.length <= fewAccounts && sign === undefined)
      add((...asked) => byLists([accountTerms(criteria, context), terms], ...asked))
    else add((...asked) => byTestedLists(terms, ...asked))
    return paths
  }
  const addLists = (): void => {
    if (types?.numbers !== undefined) {
      const terms = types.numbers.map((type) => ({ kind: postingKind.type, term: BigInt(type) }))
      add((...asked) => byTestedLists(terms, ...asked))
    }
    if (success === false) add((...asked) => byTestedLists([{ kind: postingKind.failed, term: 0n }], ...asked))
  }
  const areFew = accounts?.oneOf !== undefined && accounts.oneOf.length <= fewAccounts
  if (areFew) add(byAccounts)
  addLists()
  if (paths.length === 0) add(byScan)
  if (accounts?.oneOf !== undefined && !areFew) add(byAccounts)
  return paths
}

function byAccounts(criteria: Criteria, context: TransactionContext): AsyncGenerator<bigint[]> {
  return byLists([accountTerms(criteria, context)], criteria, context)
}

function accountTerms({ accounts, sign }: Criteria, { settings }: TransactionContext): ListTerm[] {
  const nftOnly = settings.nftOnlyMatches && sign === undefined
  return (accounts?.oneOf ?? []).flatMap((term) => [
    { kind: postingKind.account, term },
    ...(nftOnly ? [{ kind: postingKind.nftParty, term }] : []),
  ])
}

async function* byTestedLists(
  terms: readonly ListTerm[],
  criteria: Criteria,
  context: TransactionContext,
): AsyncGenerator<bigint[]> {
  const { accounts, sign, limit } = criteria
  if (accounts === undefined && sign === undefined) {
    yield* byLists([terms], criteria, context)
    return
  }
  const test = rowTest(criteria, context)
  const size = Math.min(rowsMax, Math.max(limit * rowsGrowth, 64))
  // What found nothing was a step as well.
  for await (const batch of byLists([terms], { ...criteria, sign: undefined, limit: size }, context))
    yield batch.length === 0 ? batch : await passing(batch, test, context)
}

async function passing(times: readonly bigint[], test: RowTest, context: TransactionContext): Promise<bigint[]> {
  const keys = times.map((time) => [time] as const)
  const rows = await context.rows.transactions.get('transactions', keys, testedFields)
  await context.pause()
  return rows.flatMap((row) => (row !== undefined && test(row) ? [row.consensusTimestamp] : []))
}

async function* byLists(
  groups: readonly (readonly ListTerm[])[],
  { time, order, types, success, sign, limit }: Criteria,
  context: TransactionContext,
): AsyncGenerator<bigint[]> {
  const { lower, upper } = time
  const flags = sign === undefined ? 0 : partyFlag[sign]
  const filter: PostingFilter = { lower, upper, success, matchesType: types?.matches, flags, batch: limit }
  const excluded = new Set(time.excluded)
  for await (const batch of findPostings(context, groups, filter, order === 'desc'))
    yield excluded.size === 0 ? batch : batch.filter((candidate) => !excluded.has(candidate))
}

async function* byScan(criteria: Criteria, context: TransactionContext): AsyncGenerator<bigint[]> {
  const { time, order, limit } = criteria
  const test = rowTest(criteria, context)
  const find = (step: Step) =>
    context.rows.transactions.find({
      collection: 'transactions',
      index: ['consensusTimestamp'],
      ...step,
      ...excluding(time),
      select: testedFields,
    })
  const range = { ...time, order, limit: Math.max(limit * 2, 64), next: growing(rowsMax) }
  for await (const rows of inSteps(range, context.pause, find, ({ consensusTimestamp }) => consensusTimestamp))
    yield rows.filter(test).map(({ consensusTimestamp }) => consensusTimestamp)
}

/** The filters of a read that leaves times out; none at all where there are none. */
export function excluding(time: Selection) {
  return time.excluded.length > 0 && { filters: without('consensusTimestamp', time) }
}
