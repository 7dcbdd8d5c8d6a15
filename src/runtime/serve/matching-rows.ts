import type { Row, RowFilter, RowQuery, Value } from '#src/ports/read-store.ts'

type Fields = readonly string[]

const extended = new WeakMap<Fields, Fields>()

/** The fields with others behind them; the same array where it has them all, or was asked for before. */
export function withFields(fields: Fields, others: Fields): Fields {
  const known = extended.get(fields) ?? fields
  if (others.every((field) => known.includes(field))) return known
  const all = [...new Set([...known, ...others])]
  extended.set(fields, all)
  return all
}

/** Whether a whole row is what a query asks for, as a store would say. */
export function matches(row: Row, { index, prefix = [], lower, upper, filters = [] }: RowQuery): boolean {
  if (prefix.some((value, at) => compareValues(row[index[at]!]!, value) !== 0)) return false
  const ranged = row[index[prefix.length] ?? ''] ?? null
  if (lower && compareValues(ranged, lower.value) < (lower.inclusive ? 0 : 1)) return false
  if (upper && compareValues(ranged, upper.value) > (upper.inclusive ? 0 : -1)) return false
  return filters.every((filter) => passes(row[filter.field] ?? null, filter))
}

function passes(value: Value, { op, value: wanted }: RowFilter): boolean {
  if (op === 'in') return (wanted as readonly Value[]).some((each) => compareValues(value, each) === 0)
  return (compareValues(value, wanted as Value) === 0) === (op === 'eq')
}

/** The order of rows by some fields, as stores keep it. */
export function compareRows(fields: Fields, descending: boolean): (a: Row, b: Row) => number {
  const direction = descending ? -1 : 1
  return (a, b) => {
    for (const field of fields) {
      const order = compareValues(a[field]!, b[field]!)
      if (order !== 0) return direction * order
    }
    return 0
  }
}

/** Of the same kind, or null, which comes first. */
function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'bigint' || typeof a === 'number') return a < (b as typeof a) ? -1 : Number(a > (b as typeof a))
  return Buffer.compare(bytesOf(a), bytesOf(b as string | Uint8Array))
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value) : value
}
