import type { transactionsSchema } from '#projections/transactions/schema.ts'
import { race } from '#queries/common/race.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { narrowAccounts } from '#queries/transactions/narrow-accounts.ts'
import { narrowTypes } from '#queries/transactions/narrow-types.ts'
import type { TransactionContext, TransactionRows } from '#queries/transactions/reads.ts'
import { excluding, waysTo } from '#queries/transactions/ways.ts'
import { plainRows, type RowOf } from '#src/ports/read-store.ts'

/** Rows of a page: consensus times and JSON texts, in the order asked for. */
export interface TransactionPage {
  readonly times: readonly bigint[]
  readonly bodies: readonly string[]
}

const shownFields = ['consensusTimestamp', 'body'] as const

type ShownRow = Pick<RowOf<typeof transactionsSchema, 'transactions'>, (typeof shownFields)[number]>

/**
 * Finds the page that the criteria describe: a range over the time when nothing else is asked, else by whichever way to it
 * turns out to be the cheapest. These pause between steps, so that other requests run and a search without end is given up.
 */
export async function findTransactions(criteria: Criteria, context: TransactionContext): Promise<TransactionPage> {
  const { impossible, time } = criteria
  if (impossible || time.lower > time.upper) return { times: [], bodies: [] }
  if (isUnfiltered(criteria)) return findByRange(criteria, context)
  const { transactions } = context.rows
  const narrowed = await narrowTypes(await narrowAccounts(criteria, context), context)
  const times = await race(waysTo(narrowed, context), plainRows(transactions), criteria.limit)
  return showRows(transactions, times)
}

function isUnfiltered({ accounts, tokens, sign, success, types }: Criteria): boolean {
  return [accounts, tokens, sign, success, types].every((condition) => condition === undefined)
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
