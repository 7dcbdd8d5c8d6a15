/**
 * Counters of one period in memory that threads may share: at `at` the number of the period, behind it `length` counters. Whoever
 * comes first in another period sets them to zero; what others count in that same instant may be lost with them.
 */
export function beginPeriod(counts: Uint32Array, at: number, length: number, period: number): void {
  const before = Atomics.load(counts, at)
  if (before === period || Atomics.compareExchange(counts, at, before, period) !== before) return
  for (let counter = at + 1; counter <= at + length; counter++) Atomics.store(counts, counter, 0)
}
