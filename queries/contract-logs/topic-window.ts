import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'

const longest = 7n * 24n * 3_600n * nanosPerSecond

/** Topics are searched at one time, or within seven days. */
export function assertTopicWindow(times: readonly Filter<bigint>[]): void {
  const reason = whyNoWindow(times)
  if (reason !== undefined) throw invalidParameters([`Cannot search topics without a valid timestamp range: ${reason}`])
}

function whyNoWindow(times: readonly Filter<bigint>[]): string | undefined {
  if (times.length === 0) return 'No timestamp range or eq operator provided'
  let lower: bigint | undefined
  let upper: bigint | undefined
  let equals = 0
  for (const { operator, value } of times) {
    if (operator === 'ne') return 'Not equals operator not supported for timestamp param'
    if (operator === 'eq') equals += 1
    else if (operator === 'gt' || operator === 'gte') {
      if (lower !== undefined) return 'Multiple gt or gte operators not permitted for timestamp param'
      lower = operator === 'gt' ? value + 1n : value
    } else {
      if (upper !== undefined) return 'Multiple lt or lte operators not permitted for timestamp param'
      upper = operator === 'lt' ? value - 1n : value
    }
  }
  if (equals > 0)
    return lower === undefined && upper === undefined
      ? undefined
      : 'Cannot combine eq with ne, gt, gte, lt, or lte for timestamp param'
  if (lower === undefined || upper === undefined)
    return 'Timestamp range must have gt (or gte) and lt (or lte), or eq operator'
  const length = upper - lower + 1n
  return length <= 0n || length > longest
    ? 'Timestamp range by the lower and upper bounds must be positive and within 7d'
    : undefined
}
