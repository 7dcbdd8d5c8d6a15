import { decodeParties, partyFlag } from '#projections/transactions/postings.ts'
import { postingKind, transactionFlag, type transactionsSchema } from '#projections/transactions/schema.ts'
import { min } from '#queries/common/bigints.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { meets } from '#queries/transactions/criteria.ts'
import { findPostings, type PostingFilter } from '#queries/transactions/find-postings.ts'
import { narrowAccounts } from '#queries/transactions/narrow-accounts.ts'
import { narrowTypes } from '#queries/transactions/narrow-types.ts'
import { nftAccounts } from '#queries/transactions/nft-accounts.ts'
import type { TransactionContext, TransactionRows } from '#queries/transactions/reads.ts'
import type { RowOf } from '#src/ports/read-store.ts'

/** Rows of a page: consensus times and JSON texts, in the order asked for. */
export interface TransactionPage {
  readonly times: readonly bigint[]
  readonly bodies: readonly string[]
}

/** Rows that a scan reads at once: from a little more than a page to this many. */
const scanRowsMax = 2_048
const scanGrowth = 4
const testFields = ['consensusTimestamp', 'type', 'flags', 'parties'] as const
const testFieldsAndBody = [...testFields, 'body'] as const
const shownFields = ['consensusTimestamp', 'body'] as const

type TransactionRow = RowOf<typeof transactionsSchema, 'transactions'>
/** The body is there only where NFT-only matches are asked for. */
type TestedRow = Pick<TransactionRow, (typeof testFields)[number]> & Partial<Pick<TransactionRow, 'body'>>
type ShownRow = Pick<TransactionRow, (typeof shownFields)[number]>

/**
 * Finds the page that the criteria describe, by the cheapest of three ways: a range over the time when nothing else is
 * asked; posting lists of accounts, types or failures, also for a range that few accounts are in; or a scan in time
 * order. Ways two and three pause between steps, so that other requests run and a search without end is given up.
 */
export async function findTransactions(criteria: Criteria, context: TransactionContext): Promise<TransactionPage> {
  const time = { ...criteria.time, upper: min(criteria.time.upper, context.checkpoint.time) }
  const bounded = { ...criteria, time }
  if (criteria.impossible || time.lower > time.upper) return { times: [], bodies: [] }
  if (isUnfiltered(bounded)) return findByRange(bounded, context)
  const narrowed = await narrowTypes(await narrowAccounts(bounded, context), context)
  const lists = postingLists(narrowed, context)
  return lists === undefined ? findByScan(narrowed, context) : findByPostings(narrowed, lists, context)
}

function isUnfiltered({ accounts, sign, success, types }: Criteria): boolean {
  return accounts === undefined && sign === undefined && success === undefined && types === undefined
}

/** The lists whose union holds every match; undefined when there are none such. */
function postingLists(
  { accounts, sign, success, types }: Criteria,
  { settings }: TransactionContext,
): ListTerm[] | undefined {
  if (accounts?.oneOf !== undefined) {
    const nftOnly = settings.nftOnlyMatches && sign === undefined
    return accounts.oneOf.flatMap((term) => [
      { kind: postingKind.account, term },
      ...(nftOnly ? [{ kind: postingKind.nftParty, term }] : []),
    ])
  }
  if (types?.numbers !== undefined) return types.numbers.map((type) => ({ kind: postingKind.type, term: BigInt(type) }))
  return success === false ? [{ kind: postingKind.failed, term: 0n }] : undefined
}

async function findByRange({ time, order, limit }: Criteria, { rows }: TransactionContext): Promise<TransactionPage> {
  const page = await rows.transactions.find({
    collection: 'transactions',
    index: ['consensusTimestamp'],
    lower: { value: time.lower, inclusive: true },
    upper: { value: time.upper, inclusive: true },
    descending: order === 'desc',
    ...(time.excluded.length > 0 && { filters: excluding(time.excluded) }),
    limit,
    select: shownFields,
  })
  return pageOf(page)
}

function excluding(times: readonly bigint[]) {
  return times.map((value) => ({ field: 'consensusTimestamp' as const, op: 'ne' as const, value }))
}

async function findByPostings(
  criteria: Criteria,
  lists: readonly ListTerm[],
  context: TransactionContext,
): Promise<TransactionPage> {
  const { time, order, limit, accounts, sign, types, success } = criteria
  const byAccount = accounts?.oneOf !== undefined
  const filter: PostingFilter = {
    lower: time.lower,
    upper: time.upper,
    success,
    matchesType: types?.matches,
    flags: byAccount && sign !== undefined ? partyFlag[sign] : 0,
  }
  // Lists of types and failures do not know who took part; the row tells.
  const test = byAccount || (accounts === undefined && sign === undefined) ? undefined : rowTest(criteria, context)
  const excluded = new Set(time.excluded)
  const found: bigint[] = []
  for await (const batch of findPostings(context, lists, filter, order === 'desc')) {
    const times = excluded.size === 0 ? batch : batch.filter((candidate) => !excluded.has(candidate))
    if (test === undefined) found.push(...times.slice(0, limit - found.length))
    else await testInChunks(times, test, limit, found, context)
    if (found.length >= limit) break
  }
  return showRows(context.rows.transactions, found)
}

type RowTest = (row: TestedRow) => boolean

async function testInChunks(
  times: readonly bigint[],
  test: RowTest,
  limit: number,
  found: bigint[],
  context: TransactionContext,
): Promise<void> {
  const size = Math.min(scanRowsMax, Math.max(limit * scanGrowth, 64))
  for (let start = 0; start < times.length && found.length < limit; start += size) {
    const keys = times.slice(start, start + size).map((time) => [time] as const)
    const rows = await context.rows.transactions.get('transactions', keys, testedFields(context))
    collect(rows, test, limit, found)
    await context.pause()
  }
}

async function findByScan(criteria: Criteria, context: TransactionContext): Promise<TransactionPage> {
  const { time, order, limit } = criteria
  const test = rowTest(criteria, context)
  const descending = order === 'desc'
  const found: bigint[] = []
  let { lower, upper } = time
  for (let size = Math.max(limit * 2, 64); lower <= upper; size = Math.min(size * scanGrowth, scanRowsMax)) {
    const rows = await context.rows.transactions.find({
      collection: 'transactions',
      index: ['consensusTimestamp'],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending,
      ...(time.excluded.length > 0 && { filters: excluding(time.excluded) }),
      limit: size,
      select: testedFields(context),
    })
    collect(rows, test, limit, found)
    const last = rows.at(-1)
    if (found.length >= limit || last === undefined || rows.length < size) break
    const reached = last.consensusTimestamp
    if (descending) upper = reached - 1n
    else lower = reached + 1n
    await context.pause()
  }
  return showRows(context.rows.transactions, found)
}

function testedFields({ settings }: TransactionContext): typeof testFields | typeof testFieldsAndBody {
  return settings.nftOnlyMatches ? testFieldsAndBody : testFields
}

function collect(rows: readonly (TestedRow | undefined)[], test: RowTest, limit: number, found: bigint[]): void {
  for (const row of rows) {
    if (found.length >= limit) return
    if (row !== undefined && test(row)) found.push(row.consensusTimestamp)
  }
}

/** All conditions but the time, on a row with the tested fields. */
function rowTest({ accounts, sign, success, types }: Criteria, { settings }: TransactionContext): RowTest {
  const rowBit = sign === undefined ? 0 : transactionFlag[sign]
  return (row) => {
    const { flags, type, body = '' } = row
    if (rowBit !== 0 && (flags & rowBit) === 0) return false
    if (success !== undefined && ((flags & transactionFlag.success) !== 0) !== success) return false
    if (types !== undefined && !types.matches(type)) return false
    if (accounts === undefined) return true
    const partyBit = sign === undefined ? 0 : partyFlag[sign]
    const matches = (account: bigint) => meets(account, accounts.comparisons)
    const parties = decodeParties(row.parties)
    if (parties.some((party) => (partyBit === 0 || (party.flags & partyBit) !== 0) && matches(party.account)))
      return true
    return settings.nftOnlyMatches && sign === undefined && nftAccounts(body).some(matches)
  }
}

async function showRows(transactions: TransactionRows, times: readonly bigint[]): Promise<TransactionPage> {
  const rows = await transactions.get(
    'transactions',
    times.map((time) => [time] as const),
    shownFields,
  )
  // A posting may be a moment ahead of its row where the store writes them one by one.
  return pageOf(rows.filter((row) => row !== undefined))
}

function pageOf(rows: readonly ShownRow[]): TransactionPage {
  return {
    times: rows.map(({ consensusTimestamp }) => consensusTimestamp),
    bodies: rows.map(({ body }) => body),
  }
}
