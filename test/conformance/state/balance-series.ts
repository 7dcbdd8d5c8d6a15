import type { CaseRow } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'

/** A balance and since when it is known to be that. */
export interface StatedBalance {
  readonly asOf: bigint
  /** null: unknown. */
  readonly balance: bigint | null
  readonly balanceTimestamp: bigint | null
}

export interface KnownBalances {
  /** Taken at these times, ascending. */
  readonly snapshots: readonly { readonly time: bigint; readonly balance: bigint }[]
  /** What the row of the present says; undefined where there is none. */
  readonly present: { readonly balance: bigint | null; readonly timestamp: bigint | null } | undefined
  /** When the present was. */
  readonly recordedAt: bigint
}

/**
 * The past and the present of a balance as ascending statements. The present holds since its last change. Where a snapshot
 * is as new as that, rows were written by hand: then snapshots hold for all of the past and the row only since the
 * recording.
 */
export function balanceSeries({ snapshots, present, recordedAt }: KnownBalances): StatedBalance[] {
  const past = snapshots.map(({ time, balance }) => ({ asOf: time, balance, balanceTimestamp: time }))
  const newest = past.at(-1)
  if (present === undefined)
    return newest === undefined ? [] : [...past, { asOf: recordedAt, balance: null, balanceTimestamp: null }]
  const { balance, timestamp } = present
  if (newest === undefined) return [{ asOf: timestamp ?? 0n, balance, balanceTimestamp: timestamp }]
  if (timestamp === newest.asOf && balance === newest.balance) return past
  const asOf = timestamp !== null && timestamp > newest.asOf ? timestamp : recordedAt
  return [...past, { asOf, balance, balanceTimestamp: timestamp }]
}

/** Ascending, one per time: of several the last one. */
export function snapshotsOf(rows: readonly CaseRow[]): KnownBalances['snapshots'] {
  const byTime = new Map(rows.map((row) => [read.int64(row, 'consensus_timestamp'), read.int64(row, 'balance')]))
  return [...byTime].map(([time, balance]) => ({ time, balance })).sort((a, b) => (a.time < b.time ? -1 : 1))
}

export function presentOf(row: CaseRow | undefined): KnownBalances['present'] {
  if (row === undefined) return undefined
  return { balance: read.int64OrNull(row, 'balance'), timestamp: read.int64OrNull(row, 'balance_timestamp') }
}
