import { archive, type BalanceRows, type Moment } from '#projections/balances/archive.ts'
import { recount } from '#projections/balances/holders.ts'
import { withHolding } from '#projections/balances/packing/holdings.ts'
import {
  type Extended,
  emptySeries,
  lastPoint,
  type Point,
  PointFlag,
  restated,
  withPoint,
} from '#projections/balances/packing/series.ts'
import type { balancesSchema } from '#projections/balances/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'

type RelationRow = RowOf<typeof balancesSchema, 'tokenBalances'>

const { known, associated } = PointFlag
const listed = known | associated
const nothing = new Uint8Array(0)

function relationRow(rows: BalanceRows, account: bigint, token: bigint): RelationRow {
  return (
    rows.get('tokenBalances', account, token) ?? {
      account,
      token,
      balance: 0n,
      changed: null,
      listed: 0,
      from: 0n,
      ...emptySeries,
    }
  )
}

/** A new relation, which begins with nothing, whatever there was before. */
export function createRelation(rows: BalanceRows, account: bigint, token: bigint, moment: Moment): void {
  change(rows, account, token, moment, () => ({ amount: 0n, flags: listed }))
}

/** What the account may hold again, or still: its balance stays, known or not. */
export function keepRelation(rows: BalanceRows, account: bigint, token: bigint, moment: Moment): void {
  change(rows, account, token, moment, ({ amount, flags }) => ({ amount, flags: flags | associated }))
}

export function hasRelation(rows: BalanceRows, account: bigint, token: bigint): boolean {
  return rows.get('tokenBalances', account, token)?.listed === 1
}

/** The account may no longer hold it: the balance is not listed, and not changed by this itself. */
export function endRelation(rows: BalanceRows, account: bigint, token: bigint, moment: Moment): void {
  change(rows, account, token, moment, ({ amount, flags }) => ({ amount, flags: flags & ~associated }))
}

/**
 * Who receives or sends a token may hold it. Where neither the beginning of that nor a balance was told, as of a ledger that is followed
 * from its middle, nobody knows what there was before, and so what there is.
 */
export function moveToken(rows: BalanceRows, account: bigint, token: bigint, moved: bigint, moment: Moment): void {
  change(rows, account, token, moment, ({ amount, flags }) => ({ amount: amount + moved, flags: flags | associated }))
}

/** All that one account holds of a collection becomes another one's, as at a change of its treasury. */
export function moveAll(rows: BalanceRows, token: bigint, from: bigint, to: bigint, moment: Moment): void {
  const given = relationRow(rows, from, token)
  const isKnown = ((lastPoint(given)?.flags ?? 0) & known) !== 0
  change(rows, from, token, moment, ({ flags }) => ({ amount: 0n, flags: flags | known }))
  change(rows, to, token, moment, ({ amount, flags }) => ({
    amount: amount + given.balance,
    flags: (isKnown ? flags : flags & ~known) | associated,
  }))
}

interface Holds {
  readonly amount: bigint
  readonly flags: number
}

function change(rows: BalanceRows, account: bigint, token: bigint, moment: Moment, next: (now: Holds) => Holds): void {
  const before = relationRow(rows, account, token)
  const holds = next({ amount: before.balance, flags: lastPoint(before)?.flags ?? 0 })
  put(rows, before, withPoint(before, { time: moment.time, ...holds }), moment.time, moment)
}

/** The balance from a time on, whatever was known of it; null: as if the account never held the token. */
export function stateTokenBalance(
  rows: BalanceRows,
  { accountId, tokenId, asOf, balance, balanceTimestamp }: TokenBalanceSnapshot,
  from: bigint,
): void {
  const known = balance === null ? 0 : PointFlag.known
  const stated = ({ time, flags }: Point) => ({ time, amount: balance ?? 0n, flags: (flags & associated) | known })
  restate(rows, [accountId, tokenId], asOf, stated, balanceTimestamp, from)
}

export interface TokenBalanceSnapshot {
  readonly accountId: bigint
  readonly tokenId: bigint
  readonly asOf: bigint
  readonly balance: bigint | null
  readonly balanceTimestamp: bigint | null
}

export interface RelationSnapshot {
  readonly accountId: bigint
  readonly tokenId: bigint
  readonly asOf: bigint
  readonly validTo: bigint | null
  readonly associated: boolean
}

/** Whether the account may hold the token from a time on, until another one. */
export function stateRelation(rows: BalanceRows, stated: RelationSnapshot, from: bigint): void {
  const { accountId, tokenId, asOf, validTo } = stated
  const pair = [accountId, tokenId] as const
  const { changed } = relationRow(rows, ...pair)
  const flag = stated.associated ? associated : 0
  restate(rows, pair, asOf, (point) => ({ ...point, flags: (point.flags & ~associated) | flag }), changed, from)
  if (validTo === null) return
  restate(rows, pair, validTo, (point) => ({ ...point, flags: point.flags & ~associated }), changed, from)
}

function restate(
  rows: BalanceRows,
  [account, token]: readonly [bigint, bigint],
  asOf: bigint,
  stated: (point: Point) => Point,
  changed: bigint | null,
  from: bigint,
): void {
  const before = relationRow(rows, account, token)
  const until = lastPoint(before)?.time
  put(rows, before, restated(before, asOf, stated), changed, { time: asOf, from }, until)
}

/** `until`: of a statement, the newest point that there was. */
function put(
  rows: BalanceRows,
  before: RelationRow,
  extended: Extended & { readonly begins?: boolean },
  changed: bigint | null,
  moment: Moment,
  until?: bigint,
): void {
  const { from } = moment
  const { account, token } = before
  const series = archive(rows, account, token, before, extended)
  const { time, amount: balance, flags } = lastPoint(series) ?? { time: 0n, amount: 0n, flags: 0 }
  const isListed = (flags & listed) === listed
  const after = { account, token, balance, changed, listed: isListed ? 1 : 0, from, ...series }
  rows.put('tokenBalances', after)
  recount(rows, token, isHolder(after) - isHolder(before), moment, until)
  hold(rows, account, token, isListed ? balance : undefined, { time, from })
}

function isHolder({ listed, balance }: RelationRow): number {
  return listed === 1 && balance > 0n ? 1 : 0
}

/** Keeps the packed list of what an account holds; also of one that holds nothing now, since it may have once. */
function hold(
  rows: BalanceRows,
  account: bigint,
  token: bigint,
  balance: bigint | undefined,
  { time, from }: Moment,
): void {
  const row = rows.get('holdings', account)
  const packed = row === undefined ? nothing : row.tokens
  const tokens = packed === null ? null : withHolding(packed, token, balance)
  const since = row !== undefined && row.since > time ? row.since : time
  rows.put('holdings', { account, since, from, tokens })
}
