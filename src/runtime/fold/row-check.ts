import { type CollectionSchema, type FieldKind, type Row, type Value, valueKind } from '#src/ports/read-store.ts'

const int32Max = 2 ** 31 - 1
const int64Max = 2n ** 63n - 1n

const isOfKind: Readonly<Record<ReturnType<typeof valueKind>, (value: unknown) => boolean>> = {
  int64: (value) => typeof value === 'bigint' && value <= int64Max && value >= -int64Max - 1n,
  int32: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= int32Max,
  text: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
}

/** Throws where a store would refuse the row, or give back another one. */
export function assertRow(collection: string, schema: CollectionSchema | undefined, row: Row): void {
  for (const [field, kind] of Object.entries(schema?.fields ?? {})) {
    const value: unknown = row[field]
    if (isValue(kind, value)) continue
    throw new TypeError(`${field} of ${collection} is ${shown(value)}, which is no ${valueKind(kind)}`)
  }
}

function isValue(kind: FieldKind, value: unknown): value is Value {
  return value === null ? kind.endsWith('?') : isOfKind[valueKind(kind)](value)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 50)}"` : String(value)
}
