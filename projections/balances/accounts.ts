import { archive, type BalanceRows, type Moment } from '#projections/balances/archive.ts'
import { noteBeginning, recount } from '#projections/balances/holders.ts'
import {
  emptySeries,
  firstTime,
  lastPoint,
  PointFlag,
  restated,
  type Series,
  withPoint,
} from '#projections/balances/packing/series.ts'
import { allAccounts, type balancesSchema, hbar } from '#projections/balances/schema.ts'
import { isUnreleased, unreleasedAccount } from '#src/domain/unreleased-accounts.ts'
import type { RowOf } from '#src/ports/read-store.ts'

type BalanceRow = RowOf<typeof balancesSchema, 'balances'>

/** What is known of an account's balance. */
const Known = { pending: 0, known: 1, unknown: 2 } as const

function accountRow(rows: BalanceRows, account: bigint): BalanceRow {
  const known = rows.get('balances', account)
  if (known !== undefined) return known
  return { account, balance: 0n, changed: null, known: Known.pending, exists: 0, from: 0n, ...emptySeries }
}

/**
 * Adds an amount. Of an account that nobody created or stated it waits: its creation may follow in the same block. Until then nobody
 * knows what there was before, and so what there is.
 */
export function move(rows: BalanceRows, account: bigint, amount: bigint, { time, from }: Moment): void {
  const before = accountRow(rows, account)
  const { known, exists } = before
  const balance = before.balance + amount
  const flags = known === Known.known ? PointFlag.known : 0
  const extended = withPoint(before, { time, amount: balance, flags })
  const { segment, chunks, points, tail } = archive(rows, account, hbar, before, extended)
  const after = { account, balance, changed: time, known, exists, from, segment, chunks, points, tail }
  put(rows, before, after, { time, from })
}

/** The account begins to exist with what was moved to it already. */
export function create(rows: BalanceRows, account: bigint, moment: Moment): void {
  const { time, from } = moment
  const before = accountRow(rows, account)
  const extended = withPoint(waited(before), { time, amount: before.balance, flags: PointFlag.known })
  const series = archive(rows, account, hbar, before, extended)
  const after = { ...before, ...series, known: Known.known, exists: 1, changed: time, from }
  put(rows, before, after, moment)
  recount(rows, allAccounts, isKnown(after) - isKnown(before), moment)
  if (before.known !== Known.known) noteBeginning(rows, account, { time: beginningOf(before, time), from })
}

/** Who is created had nothing before, so that what was moved to it by then was all that there was. */
function waited(before: BalanceRow): Series {
  if (before.known !== Known.pending || before.points === 0) return before
  return restated(before, firstTime(before.tail), (point) => ({ ...point, flags: PointFlag.known })).series
}

/** An entity is stated, which says nothing of its balance. */
export function stateExistence(rows: BalanceRows, account: bigint, exists: boolean, from: bigint): void {
  const before = rows.get('balances', account)
  if (before === undefined && !exists) return
  rows.put('balances', { ...(before ?? accountRow(rows, account)), exists: exists ? 1 : 0, from })
}

export interface BalanceSnapshot {
  readonly asOf: bigint
  readonly balance: bigint | null
  readonly balanceTimestamp: bigint | null
}

/** The balance from a time on, whatever was known of it. */
export function stateBalance(rows: BalanceRows, account: bigint, stated: BalanceSnapshot, from: bigint): void {
  const { asOf, balance, balanceTimestamp: changed } = stated
  const before = accountRow(rows, account)
  const flags = balance === null ? 0 : PointFlag.known
  const amount = balance ?? 0n
  const extended = restated(before, asOf, ({ time }) => ({ time, amount, flags }))
  const series = archive(rows, account, hbar, before, extended)
  const known = balance === null ? Known.unknown : Known.known
  const after = { ...before, ...series, balance: amount, known, changed, from }
  const moment = { time: asOf, from }
  const until = lastPoint(before)?.time
  put(rows, before, after, moment, until)
  recount(rows, allAccounts, isKnown(after) - isKnown(before), moment, until)
  if (before.known !== Known.known || asOf < firstTime(before.tail))
    noteBeginning(rows, account, { time: beginningOf(before, asOf), from })
  if (balance !== null && changed !== null) rows.put('statedTimes', { time: changed })
}

/** ns; from when on there are points once there is one of `time`; 0 where the row does not tell. */
function beginningOf({ chunks, segment, points, tail }: BalanceRow, time: bigint): bigint {
  if (points === 0) return time
  if (chunks > 0 || segment > 0) return 0n
  const first = firstTime(tail)
  return first < time ? first : time
}

/** `until`: of a statement, the newest point that there was. */
function put(rows: BalanceRows, before: BalanceRow, after: BalanceRow, moment: Moment, until?: bigint): void {
  rows.put('balances', after)
  if (isUnreleased(after.account)) addToSum(rows, before, after, moment)
  const difference = isHolder(after) - isHolder(before)
  if (difference !== 0 || until !== undefined) recount(rows, hbar, difference, moment, until)
}

function isHolder({ known, balance }: BalanceRow): number {
  return known === Known.known && balance > 0n ? 1 : 0
}

function isKnown({ known }: BalanceRow): number {
  return known === Known.known ? 1 : 0
}

/** Keeps the sum of the unreleased accounts whose balances are known. */
function addToSum(rows: BalanceRows, before: BalanceRow, after: BalanceRow, { time, from }: Moment): void {
  const amount = countedOf(after) - countedOf(before)
  const joined = isKnown(after) - isKnown(before)
  const sum = rows.get('sums', unreleasedAccount) ?? {
    account: unreleasedAccount,
    balance: 0n,
    changed: null,
    members: 0,
    exactFrom: 0n,
    from: 0n,
    newest: 0n,
    ...emptySeries,
  }
  const balance = sum.balance + amount
  const members = sum.members + joined
  const flags = members === 0 ? 0 : PointFlag.known
  const extended = withPoint(sum, { time, amount: balance, flags })
  const { segment, chunks, points, tail } = archive(rows, unreleasedAccount, hbar, sum, extended)
  const isLate = time < sum.newest
  rows.put('sums', {
    account: unreleasedAccount,
    balance,
    changed: newestOf(sum.changed, after.changed),
    members,
    exactFrom: isLate ? sum.newest : sum.exactFrom,
    newest: isLate ? sum.newest : time,
    from,
    segment,
    chunks,
    points,
    tail,
  })
}

function countedOf({ known, balance }: BalanceRow): bigint {
  return known === Known.known ? balance : 0n
}

function newestOf(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}
