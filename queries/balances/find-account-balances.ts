import type { Holding } from '#projections/balances/holdings-packing.ts'
import { hbar } from '#projections/balances/schema.ts'
import { lastPoint, PointFlag } from '#projections/balances/series-packing.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { findTokenBalances } from '#queries/balances/find-token-balances.ts'
import { type BalanceRows, type Instant, isCurrent } from '#queries/balances/instant.ts'

/** The fields of a row that a balance is told from. */
export const balanceFields = [
  'account',
  'balance',
  'changed',
  'known',
  'exists',
  'from',
  'segment',
  'chunks',
  'points',
  'tail',
] as const

export type BalanceRow = Awaited<ReturnType<typeof getBalanceRows>>[number] & object

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

export function getBalanceRows(rows: BalanceRows, accounts: readonly bigint[]) {
  return rows.get(
    'balances',
    accounts.map((account) => [account]),
    balanceFields,
  )
}

/** Balances of the accounts, one for each in their order: now, or as of an instant, never beyond the request's bound. */
export async function findAccountBalances(
  rows: BalanceRows,
  { accounts, at, tokensMax, order = 'asc' }: AccountBalancesQuery,
): Promise<AccountBalance[]> {
  const [found, tokens] = await Promise.all([
    getBalanceRows(rows, accounts),
    findTokenBalances(rows, { accounts, at, tokensMax, order }),
  ])
  const balances = await Promise.all(found.map((row) => hbarBalanceAt(rows, row, at)))
  return accounts.map((account, index) => ({
    account,
    ...(balances[index] ?? unknownBalance),
    tokens: tokens[index] ?? [],
  }))
}

export const unknownBalance: HbarBalance = { balance: null, timestamp: null }

/** What a row says of an instant. Only transfers naming an account say nothing of what it had. */
export async function hbarBalanceAt(rows: BalanceRows, row: BalanceRow | undefined, at: Instant): Promise<HbarBalance> {
  if (row === undefined || row.known === 0) return unknownBalance
  const newest = lastPoint(row)
  if (newest !== undefined && isCurrent({ from: row.from, since: newest.time }, at))
    return row.known === 1 ? { balance: row.balance, timestamp: row.changed } : unknownBalance
  const point = await findPoint(rows, { ...row, token: hbar }, at)
  if (point === undefined || (point.flags & PointFlag.known) === 0) return unknownBalance
  return { balance: point.amount, timestamp: point.time }
}
