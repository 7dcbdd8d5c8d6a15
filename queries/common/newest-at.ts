/** Of rows in the order of an index that ends with a time: the newest one at or before `time` (ns). */
export function newestAt(time: bigint) {
  return { upper: { value: time, inclusive: true }, descending: true, limit: 1 } as const
}
