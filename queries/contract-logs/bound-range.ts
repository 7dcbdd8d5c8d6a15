import type { PairRange } from '#queries/common/column-pair.ts'
import type { LogCriteria } from '#queries/contract-logs/criteria.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { bindTimeRange } from '#queries/transactions/bound-window.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

interface BoundRange {
  readonly range: PairRange
  /** Where the rest begins when the range was cut. */
  readonly edge: bigint | undefined
}

/** The range within the configured window, as lists of transactions have it; a single time is never cut. */
export async function bindRange({ range, order }: LogCriteria, context: LogContext): Promise<BoundRange> {
  const { lower, upper } = range
  const times = {
    lower: lower.first,
    upper: upper.first,
    hasLower: lower.first > 0n,
    hasUpper: upper.first < maxInt64,
    equal: lower.first === upper.first ? [lower.first] : [],
    excluded: [],
  }
  const { time, edge } = await bindTimeRange(times, order, context)
  return {
    range: {
      lower: time.lower === lower.first ? lower : { first: time.lower, second: 0n },
      upper: time.upper === upper.first ? upper : { first: time.upper, second: maxInt64 },
    },
    edge,
  }
}
