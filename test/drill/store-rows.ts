import type { CollectionSchema, ProjectionSchema, Row, RowReader, Value } from '#src/ports/read-store.ts'
import { keyOf, rowsInOrder } from '#src/runtime/replay/digest.ts'

/** What a read model answers however it is asked: by key, and in the order of each index. */
export interface KnownRows {
  readonly schema: ProjectionSchema
  readonly collections: ReadonlyMap<string, KnownCollection>
}

interface KnownCollection {
  readonly shape: CollectionSchema
  /** Text of each row by the text of its key, in the order of the keys. */
  readonly rows: ReadonlyMap<string, string>
  readonly keys: readonly (readonly Value[])[]
  /** Texts of the keys in the order of each index. */
  readonly orders: readonly (readonly string[])[]
  readonly parts: ReadonlyMap<string, string>
}

/** `altered`: a value that was never written was told. `lost`: rows were left out, or came in another order. */
export type Verdict = 'equal' | 'altered' | 'lost'

const limit = 1_000_000

export async function knowRows(reader: RowReader, schema: ProjectionSchema): Promise<KnownRows> {
  const collections = new Map<string, KnownCollection>()
  for (const [name, shape] of Object.entries(schema.collections)) {
    const all: Row[] = []
    for await (const rows of rowsInOrder(reader, name, shape)) all.push(...rows)
    const select = partOf(shape)
    const orders: string[][] = []
    for (const index of shape.indexes ?? []) {
      const found = await reader.find({ collection: name, index, limit, select })
      orders.push(found.map((row) => keyText(row, shape)))
    }
    collections.set(name, {
      shape,
      rows: new Map(all.map((row) => [keyText(row, shape), rowText(row)])),
      keys: all.map((row) => keyOf(row, shape)),
      orders,
      parts: new Map(all.map((row) => [keyText(row, shape), partText(row, select)])),
    })
  }
  return { schema, collections }
}

/** Asks for everything again. Rejects with what the store says of damage. */
export async function compareRows(reader: RowReader, { collections }: KnownRows): Promise<Verdict> {
  let verdict: Verdict = 'equal'
  for (const [name, known] of collections) {
    const each = await compareCollection(reader, name, known)
    if (each === 'altered') return each
    if (each === 'lost') verdict = each
  }
  return verdict
}

async function compareCollection(
  reader: RowReader,
  name: string,
  { shape, rows, keys, orders, parts }: KnownCollection,
): Promise<Verdict> {
  const select = partOf(shape)
  let isWhole = true
  const got = await reader.get(name, keys, select)
  for (const [place, row] of got.entries()) {
    if (row === undefined) isWhole = false
    else if (partText(row, select) !== parts.get(keys[place]!.map(valueText).join())) return 'altered'
  }
  for (const [place, index] of (shape.indexes ?? []).entries()) {
    const found = await reader.find({ collection: name, index, limit, select })
    if (found.some((row) => partText(row, select) !== parts.get(keyText(row, shape)))) return 'altered'
    if (found.map((row) => keyText(row, shape)).join() !== orders[place]!.join()) isWhole = false
  }
  const scanned: string[] = []
  for await (const page of rowsInOrder(reader, name, shape)) {
    for (const row of page) {
      const key = keyText(row, shape)
      if (rowText(row) !== rows.get(key)) return 'altered'
      scanned.push(key)
      // Damage that leads in a circle.
      if (scanned.length > keys.length) return 'lost'
    }
  }
  return isWhole && scanned.join() === [...rows.keys()].join() ? 'equal' : 'lost'
}

/** The key and the last field, which are read together with as few others as possible. */
function partOf({ fields, key }: CollectionSchema): readonly string[] {
  return [...new Set([...key, Object.keys(fields).at(-1)!])]
}

function partText(row: Row, select: readonly string[]): string {
  return select.map((field) => valueText(row[field]!)).join()
}

function keyText(row: Row, shape: CollectionSchema): string {
  return keyOf(row, shape).map(valueText).join()
}

function rowText(row: Row): string {
  return Object.values(row).map(valueText).join()
}

function valueText(value: Value): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${typeof value} ${value}`
}
