import type { Row, Value } from '#src/ports/read-store.ts'

/** A row for keeping: with bytes of its own, for those that were put may change after the call. */
export function keptRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [field, keptValue(value)]))
}

/** The same of one value. */
export function keptValue(value: Value): Value {
  return value instanceof Uint8Array ? new Uint8Array(value) : value
}
