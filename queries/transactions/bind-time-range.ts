import type { Order } from '#queries/common/parameters.ts'
import type { Selection } from '#queries/common/range.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'

export interface TimeWindow {
  readonly time: Selection
  /** Where the rest begins when the window was cut: the edge that the next page starts beyond. */
  readonly edge: bigint | undefined
}

/**
 * Narrows a time range to the configured length, counted from where paging starts: from the newest end for descending
 * lists, from the oldest for ascending ones. A missing upper bound is now, a missing lower one the first transaction.
 * Nothing is narrowed when the switch is off or single times are asked for.
 */
export async function bindTimeRange(time: Selection, order: Order, context: TransactionContext): Promise<TimeWindow> {
  const { settings, now } = context
  if (!settings.bindTimestampRange || time.equal.length > 0) return { time, edge: undefined }
  const lower = time.hasLower ? time.lower : await firstTransactionTime(context)
  const upper = time.hasUpper ? time.upper : now
  const whole = { ...time, lower, upper }
  if (upper - lower + 1n <= settings.timeRangeMaxNs) return { time: whole, edge: undefined }
  if (order === 'desc') {
    const edge = upper - settings.timeRangeMaxNs + 1n
    return { time: { ...whole, lower: edge }, edge }
  }
  const edge = lower + settings.timeRangeMaxNs - 1n
  return { time: { ...whole, upper: edge }, edge }
}

async function firstTransactionTime({ rows }: TransactionContext): Promise<bigint> {
  const [first] = await rows.transactions.find({
    collection: 'transactions',
    index: ['consensusTimestamp'],
    limit: 1,
    select: ['consensusTimestamp'],
  })
  return first?.consensusTimestamp ?? 0n
}
