import type { Order } from '#queries/common/parameters.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { bindTimeRange } from '#queries/transactions/bind-time-range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

interface CutRange {
  readonly range: TupleRange
  /** Where the rest begins when the range was cut. */
  readonly edge: bigint | undefined
}

/** The range within the configured window, as lists of transactions have it; a single time is never cut. */
export async function bindRange(range: TupleRange, order: Order, context: LogContext): Promise<CutRange> {
  const [lower = minInt64] = range.lower
  const [upper = maxInt64] = range.upper
  const times = {
    lower,
    upper,
    hasLower: lower > minInt64,
    hasUpper: upper < maxInt64,
    equal: lower === upper ? [lower] : [],
    excluded: [],
  }
  const { time, edge } = await bindTimeRange(times, order, context)
  return {
    range: {
      lower: time.lower === lower ? range.lower : [time.lower, minInt64],
      upper: time.upper === upper ? range.upper : [time.upper, maxInt64],
    },
    edge,
  }
}
