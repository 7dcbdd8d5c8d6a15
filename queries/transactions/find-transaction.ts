import { decodeInnerIds } from '#projections/transactions/packing.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { listOf } from '#queries/common/lists/list-of.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { RowOf } from '#src/ports/read-store.ts'

export interface InstanceFilter {
  readonly nonce: number | undefined
  readonly scheduled: boolean | undefined
}

const second = 1_000_000_000n
const minute = 60n * second
/** Consensus time from one second before the valid start to 35 minutes after it. */
const earliest = second
const usualWindow = 35n * minute
/** Longest time that a scheduled transaction may wait for its execution. */
export const longestSchedule = 89_285n * minute
/** Most rows of one id, children included; a batch with all its children has far fewer. */
const rowsPerIdMax = 10_000

/** Transactions by the first 8 bytes of their hash. */
const hashes = listOf(transactionsSchema, 'hashes')

const shownFields = [
  'consensusTimestamp',
  'nonce',
  'scheduled',
  'type',
  'result',
  'hash',
  'innerIds',
  'body',
  'assessedCustomFees',
] as const

export type TransactionRow = Pick<RowOf<typeof transactionsSchema, 'transactions'>, (typeof shownFields)[number]>

/** Rows with this id, in consensus order, with the inner transactions where it is that of a batch. */
export async function findById(
  payer: bigint,
  validStart: bigint,
  filter: InstanceFilter,
  context: TransactionContext,
): Promise<TransactionRow[]> {
  const all = await rowsOfId(payer, validStart, context)
  const latest = validStart + usualWindow
  let rows = select(
    all.filter((row) => timeOf(row) <= latest),
    filter,
  )
  if (mayHaveRunLater(rows, filter)) {
    rows = select(
      all.filter((row) => timeOf(row) <= validStart + longestSchedule),
      filter,
    )
  }
  // With the batch come its inner transactions: without it, none.
  const inner = await innerTransactions(rows, filter, context)
  return inner.length === 0 ? rows : sortByTime([...rows, ...inner])
}

async function rowsOfId(payer: bigint, validStart: bigint, { rows }: TransactionContext): Promise<TransactionRow[]> {
  const ofId = await rows.transactions.find({
    collection: 'transactions',
    index: ['validStart', 'payer'],
    prefix: [validStart, payer],
    limit: rowsPerIdMax,
    select: shownFields,
  })
  return ofId.filter((row) => timeOf(row) >= validStart - earliest)
}

/** A created schedule whose execution is not among the rows may have run long after. */
function mayHaveRunLater(rows: readonly TransactionRow[], { scheduled }: InstanceFilter): boolean {
  if (scheduled === undefined) return rows.some(isCreatedSchedule) && !rows.some(isScheduled)
  return scheduled && rows.length === 0
}

async function innerTransactions(
  rows: readonly TransactionRow[],
  filter: InstanceFilter,
  context: TransactionContext,
): Promise<TransactionRow[]> {
  const found: TransactionRow[] = []
  for (const row of rows) {
    if (row.innerIds === null) continue
    for (const { payer, validStart } of decodeInnerIds(row.innerIds)) {
      const inner = await rowsOfId(payer, validStart, context)
      found.push(...inner.filter((candidate) => timeOf(candidate) <= validStart + usualWindow))
    }
  }
  return select(found, filter)
}

/** Consensus times of the transactions whose hash begins so, in their order; at least 8 bytes. */
export async function findTimesOfHash(hash: Buffer, context: TransactionContext): Promise<bigint[]> {
  const entries = await hashes.entries(context, { kind: 0, term: hash.readBigInt64BE(0) })
  const keys = entries.map(({ time }) => [time] as const)
  const rows = await context.rows.transactions.get('transactions', keys, ['consensusTimestamp', 'hash'])
  return rows
    .filter((row) => row?.hash && hash.equals(row.hash.subarray(0, hash.length)))
    .map((row) => row!.consensusTimestamp)
}

/** Rows whose record has this 48-byte hash, in consensus order. */
export async function findByHash(
  hash: Buffer,
  filter: InstanceFilter,
  context: TransactionContext,
): Promise<TransactionRow[]> {
  const entries = await hashes.entries(context, { kind: 0, term: hash.readBigInt64BE(0) })
  const rows = await context.rows.transactions.get(
    'transactions',
    entries.map(({ time }) => [time]),
    shownFields,
  )
  const matching = rows.filter((row) => row !== undefined && row.hash !== null && hash.equals(row.hash))
  return sortByTime(select(matching as TransactionRow[], filter))
}

function select(rows: readonly TransactionRow[], { nonce, scheduled }: InstanceFilter): TransactionRow[] {
  return rows.filter(
    (row) =>
      (nonce === undefined || row.nonce === nonce) && (scheduled === undefined || isScheduled(row) === scheduled),
  )
}

/** By consensus time, each row once. */
function sortByTime(rows: readonly TransactionRow[]): TransactionRow[] {
  const byTime = new Map(rows.map((row) => [timeOf(row), row]))
  return [...byTime.values()].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
}

export function isCreatedSchedule({ type, result }: TransactionRow): boolean {
  return type === transactionType.scheduleCreate && isSuccessCode(result)
}

export function isScheduled({ scheduled }: TransactionRow): boolean {
  return scheduled === 1
}

export function timeOf({ consensusTimestamp }: TransactionRow): bigint {
  return consensusTimestamp
}
