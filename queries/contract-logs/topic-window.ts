import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { isEmpty, selectionOf } from '#queries/common/range.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'

const longest = 7n * 24n * 3_600n * nanosPerSecond

/** Topics are searched at one time, or within seven days. */
export function assertTopicWindow(times: readonly Filter<bigint>[]): void {
  const reason = whyNoWindow(times)
  if (reason !== undefined) throw invalidParameters([`Cannot search topics without a valid timestamp range: ${reason}`])
}

function whyNoWindow(times: readonly Filter<bigint>[]): string | undefined {
  if (times.length === 0) return 'No timestamp range or eq operator provided'
  const sides = new Set<string>()
  for (const { operator } of times) {
    if (operator === 'ne') return 'Not equals operator not supported for timestamp param'
    const side = operator === 'eq' ? operator : operator.startsWith('g') ? 'gt or gte' : 'lt or lte'
    if (side !== 'eq' && sides.has(side)) return `Multiple ${side} operators not permitted for timestamp param`
    sides.add(side)
  }
  const range = selectionOf(times)
  if (sides.has('eq'))
    return sides.size === 1 ? undefined : 'Cannot combine eq with ne, gt, gte, lt, or lte for timestamp param'
  if (!range.hasLower || !range.hasUpper) return 'Timestamp range must have gt (or gte) and lt (or lte), or eq operator'
  return isEmpty(range) || range.upper - range.lower + 1n > longest
    ? 'Timestamp range by the lower and upper bounds must be positive and within 7d'
    : undefined
}
