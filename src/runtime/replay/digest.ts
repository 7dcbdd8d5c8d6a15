import { createHash, type Hash } from 'node:crypto'
import type { CollectionSchema, Row, RowReader, Value } from '#src/ports/read-store.ts'

/** SHA-256 over some rows, the same whatever engine they come from. */
export function digestOf(rows: readonly Row[], collection: CollectionSchema): string {
  const hash = createHash('sha256')
  updateWithRows(hash, rows, collection)
  return hash.digest('hex')
}

/** All rows of a collection in key order, page by page; no page is empty. */
export async function* rowsInOrder(
  reader: RowReader,
  name: string,
  collection: CollectionSchema,
  pageRows = 500,
): AsyncGenerator<Row[], void, undefined> {
  let after: Value[] | undefined
  for (;;) {
    const rows = await reader.scan(name, after, pageRows)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = keyOf(last, collection)
  }
}

/** Values of a row's key fields. */
export function keyOf(row: Row, { key }: CollectionSchema): Value[] {
  return key.map((field) => row[field] ?? null)
}

export function updateWithRows(hash: Hash, rows: readonly Row[], { fields }: CollectionSchema): void {
  for (const row of rows) for (const field of Object.keys(fields)) updateWithValue(hash, row[field] ?? null)
}

function updateWithValue(hash: Hash, value: Value): void {
  if (value instanceof Uint8Array) hash.update(`bytes ${value.byteLength}\n`).update(value)
  else hash.update(`${typeof value} ${String(value).length} ${value}\n`)
}
