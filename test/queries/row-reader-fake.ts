import type { Bound, Checkpoint, Row, RowQuery, RowReader, Value } from '#src/ports/read-store.ts'

export interface RowReaderFake extends RowReader {
  /** Calls of find and get so far. */
  calls: number
}

/** A reader over rows in memory that does what the port promises, as slowly as it is short. */
export function rowReaderFake(
  collections: Readonly<Record<string, readonly Row[]>>,
  checkpoint: Checkpoint,
  keys: Readonly<Record<string, readonly string[]>> = {},
): RowReaderFake {
  const fake: RowReaderFake = {
    calls: 0,
    checkpoint: async () => checkpoint,
    scan: async (collection) => [...(collections[collection] ?? [])],
    parkedCount: async () => 0,
    parked: async () => [],
    close: async () => {},
    get: async (collection, wanted) => {
      fake.calls++
      const fields = keys[collection] ?? []
      return wanted.map((key) =>
        (collections[collection] ?? []).find((row) => fields.every((field, at) => isSame(row[field]!, key[at]!))),
      )
    },
    find: async (query) => {
      fake.calls++
      return findIn(collections[query.collection] ?? [], query)
    },
  }
  return fake
}

function findIn(rows: readonly Row[], query: RowQuery): Row[] {
  const { index, prefix = [], lower, upper, descending = false, filters = [], limit } = query
  const ranged = index[prefix.length]
  const matching = rows.filter(
    (row) =>
      prefix.every((value, at) => isSame(row[index[at]!]!, value)) &&
      within(ranged === undefined ? null : row[ranged]!, lower, upper) &&
      filters.every(({ field, op, value }) =>
        op === 'in' ? (value as readonly Value[]).includes(row[field]!) : (row[field] === value) === (op === 'eq'),
      ),
  )
  const sorted = matching.sort((a, b) => compareBy(index, a, b))
  return (descending ? sorted.reverse() : sorted).slice(0, limit)
}

function isSame(a: Value, b: Value): boolean {
  return a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0)
}

function within(value: Value, lower: Bound | undefined, upper: Bound | undefined): boolean {
  if (lower !== undefined && (compare(value, lower.value) < 0 || (!lower.inclusive && value === lower.value)))
    return false
  return upper === undefined || compare(value, upper.value) < 0 || (upper.inclusive && value === upper.value)
}

function compareBy(index: readonly string[], a: Row, b: Row): number {
  for (const field of index) {
    const order = compare(a[field]!, b[field]!)
    if (order !== 0) return order
  }
  return 0
}

function compare(a: Value, b: Value): number {
  if (a === null || b === null) return 0
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}
