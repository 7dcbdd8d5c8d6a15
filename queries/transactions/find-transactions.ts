import { postingKind, type transactionsSchema } from '#projections/transactions/schema.ts'
import { race } from '#queries/common/race.ts'
import { readOf } from '#queries/common/range.ts'
import { accessPathsTo, excluding } from '#queries/transactions/access-paths.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { postings } from '#queries/transactions/find-postings.ts'
import { narrowAccounts } from '#queries/transactions/narrow-accounts.ts'
import type { TransactionContext, TransactionRows } from '#queries/transactions/reads.ts'
import { plainRows, type RowOf } from '#src/ports/read-store.ts'

const shownFields = ['consensusTimestamp', 'body'] as const

export type ShownRow = Pick<RowOf<typeof transactionsSchema, 'transactions'>, (typeof shownFields)[number]>

/**
 * Finds the page that the criteria describe: a range over the time when nothing else is asked, else by whichever way to it
 * turns out to be the cheapest. These pause between steps, so that other requests run and a search without end is given up.
 */
export async function findTransactions(criteria: Criteria, context: TransactionContext): Promise<ShownRow[]> {
  const { impossible, time } = criteria
  if (impossible || time.lower > time.upper) return []
  if (isUnfiltered(criteria)) return findByRange(criteria, context)
  const { transactions } = context.rows
  const narrowed = await narrowTypes(await narrowAccounts(criteria, context), context)
  const times = await race(accessPathsTo(narrowed, context), plainRows(transactions), criteria.limit)
  return showRows(transactions, times)
}

function isUnfiltered({ accounts, tokens, sign, success, types }: Criteria): boolean {
  return [accounts, tokens, sign, success, types].every((condition) => condition === undefined)
}

function findByRange({ time, order, limit }: Criteria, { rows }: TransactionContext): Promise<ShownRow[]> {
  return rows.transactions.find({
    collection: 'transactions',
    index: ['consensusTimestamp'],
    ...readOf(time, order, limit),
    ...excluding(time),
    select: shownFields,
  })
}

async function showRows(transactions: TransactionRows, times: readonly bigint[]): Promise<ShownRow[]> {
  const rows = await transactions.get(
    'transactions',
    times.map((time) => [time] as const),
    shownFields,
  )
  // A posting may be a moment ahead of its row where the store writes them one by one.
  return rows.filter((row) => row !== undefined)
}

/** Type numbers are 16 bits wide in a posting. */
const typeMax = 0xffffn

/**
 * Turns a condition on types that have no name into the numbers that occur and meet it, so that their posting lists lead to
 * the transactions. Criteria of any other kind come back as they are.
 */
export async function narrowTypes(criteria: Criteria, context: TransactionContext): Promise<Criteria> {
  const { types } = criteria
  if (types === undefined || types.numbers !== undefined) return criteria
  const numbers: number[] = []
  for await (const terms of postings.terms(context, postingKind.type, 0n, typeMax))
    numbers.push(...terms.map(Number).filter(types.matches))
  return { ...criteria, types: { ...types, numbers } }
}
