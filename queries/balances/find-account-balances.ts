import type { Holding } from '#projections/balances/packing/holdings.ts'
import { lastPoint, PointFlag } from '#projections/balances/packing/series.ts'
import { type balancesSchema, hbar } from '#projections/balances/schema.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { findTokenBalances } from '#queries/balances/find-token-balances.ts'
import { type BalanceRows, type Instant, isCurrent } from '#queries/balances/instant.ts'
import { rowsOfAccounts } from '#queries/balances/rows-of-accounts.ts'
import type { RowOf } from '#src/ports/read-store.ts'

/** What the present balance is told from: points of the past take much of a row, and are asked for where they are needed. */
const currentFields = ['account', 'balance', 'changed', 'known', 'exists', 'from', 'points'] as const
const allFields = [...currentFields, 'segment', 'chunks', 'tail'] as const

export interface HbarBalance {
  /** tinybar; null when unknown. */
  readonly balance: bigint | null
  /** ns; last change of the balance at the instant; null when unknown. */
  readonly timestamp: bigint | null
}

export interface AccountBalance extends HbarBalance {
  readonly account: bigint
  /** Listed tokens in the order asked for. */
  readonly tokens: readonly Holding[]
}

export interface AccountBalancesQuery {
  readonly accounts: readonly bigint[]
  readonly at: Instant
  /** Most tokens of each account. */
  readonly tokensMax: number
  /** Order of the tokens; ascending unless given. */
  readonly order?: 'asc' | 'desc'
}

/** The balance of hbar of an account, which may be there no more, or not yet. */
export interface FoundBalance extends HbarBalance {
  readonly exists: boolean
}

/** Balances of hbar, one for each account in their order. */
export async function findHbarBalances(
  rows: BalanceRows,
  accounts: readonly bigint[],
  at: Instant,
): Promise<FoundBalance[]> {
  const collection = 'balances'
  const index = ['account'] as const
  if (at.time === undefined) {
    const current = await rowsOfAccounts(
      accounts,
      (keys) => rows.get(collection, keys, currentFields),
      (range) => rows.find({ collection, index, ...range, select: currentFields }),
    )
    if (current.every((row) => row === undefined || isNow(row, at)))
      return current.map((row) => {
        const { balance, timestamp } = currentBalance(row)
        return { exists: row?.exists === 1, balance, timestamp }
      })
  }
  const found = await rowsOfAccounts(
    accounts,
    (keys) => rows.get(collection, keys, allFields),
    (range) => rows.find({ collection, index, ...range, select: allFields }),
  )
  return Promise.all(found.map((row) => hbarBalanceAt(rows, row, at)))
}

/** Balances of the accounts, one for each in their order: now, or as of an instant, never beyond the request's instant. */
export async function findAccountBalances(
  rows: BalanceRows,
  { accounts, at, tokensMax, order = 'asc' }: AccountBalancesQuery,
): Promise<AccountBalance[]> {
  const [balances, tokens] = await Promise.all([
    findHbarBalances(rows, accounts, at),
    findTokenBalances(rows, { accounts, at, tokensMax, order }),
  ])
  return accounts.map((account, index) => {
    const { balance, timestamp } = balances[index] ?? unknownBalance
    return { account, balance, timestamp, tokens: tokens[index] ?? [] }
  })
}

const unknownBalance: HbarBalance = { balance: null, timestamp: null }

type CurrentRow = Pick<RowOf<typeof balancesSchema, 'balances'>, (typeof currentFields)[number]>
type BalanceRow = Pick<RowOf<typeof balancesSchema, 'balances'>, (typeof allFields)[number]>

/** Whether nothing that came after the checkpoint has written the row. */
function isNow({ from }: CurrentRow, { checkpoint }: Instant): boolean {
  return from <= BigInt(checkpoint.position)
}

function currentBalance(row: CurrentRow | undefined): HbarBalance {
  if (row === undefined || row.known !== 1 || row.points === 0) return unknownBalance
  return { balance: row.balance, timestamp: row.changed }
}

/** What a row says of an instant. Only transfers naming an account say nothing of what it had. */
async function hbarBalanceAt(rows: BalanceRows, row: BalanceRow | undefined, at: Instant): Promise<FoundBalance> {
  const exists = row?.exists === 1
  if (row === undefined || row.known === 0) return { ...unknownBalance, exists }
  const newest = lastPoint(row)
  if (newest !== undefined && isCurrent({ from: row.from, since: newest.time }, at))
    return { ...currentBalance(row), exists }
  const point = await findPoint(rows, { ...row, token: hbar }, at)
  // A creation has a balance from its time on, so that one without any was not there yet.
  if (point === undefined) return { ...unknownBalance, exists: exists && row.known !== 1 }
  if ((point.flags & PointFlag.known) === 0) return { ...unknownBalance, exists }
  return { balance: point.amount, timestamp: point.time, exists }
}
