import { type Extended, firstTime, type Series } from '#projections/balances/packing/series.ts'
import type { balancesSchema } from '#projections/balances/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

export type BalanceRows = FoldedRows<typeof balancesSchema>

/** When and by which event something changes. */
export interface Moment {
  /** ns; consensus time. */
  readonly time: bigint
  /** Sequence of the event. */
  readonly from: bigint
}

/** Writes what a series that grew no longer keeps in its row, and returns what it keeps. */
export function archive(
  rows: BalanceRows,
  account: bigint,
  token: bigint,
  before: Series,
  { series, spilled, begins }: Extended & { readonly begins?: boolean },
): Series {
  if (spilled !== undefined)
    rows.put('history', { account, token, segment: before.segment, first: firstTime(spilled), points: spilled })
  if (begins) rows.put('segments', { account, token, segment: series.segment, start: firstTime(series.tail) })
  return series
}
