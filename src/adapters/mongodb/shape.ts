import type { Stored } from '#src/adapters/mongodb/connection.ts'
import { encodeRange, encodeTuple, rangeBehind, type TextRange } from '#src/adapters/mongodb/key-text.ts'
import { RowSums, type SumsForm } from '#src/adapters/row-sums.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { keptValue } from '#src/ports/kept-row.ts'
import {
  type CollectionSchema,
  type ProjectionSchema,
  type Row,
  type RowQuery,
  type Value,
  type ValueKind,
  valueKind,
} from '#src/ports/read-store.ts'

/**
 * What a row is stored as: its key as text in `_id`, its fields under their names, beside them `_v`, the version of the
 * commit that wrote it, `_i0`, `_i1`, … with the declared indexes' fields and the key as one text each, and in what is
 * left of a deleted row `_d`, and in others `_s`, their checksums. Each read is then a range over one field with one index, in an order that is the same on
 * every server: these compare bytes by their length first and text in ways of their own.
 */
export const versionField = '_v'
export const deletedField = '_d'
/** A further field of a document costs little to read. */
const sumsForm: SumsForm = { field: '_s', sharedMax: 4 }

/** Bytes of text and bytes in a row; a document can hold 16 MiB, with the key and the index texts. */
const rowBytesMax = 15 << 20

interface IndexText {
  readonly name: string
  readonly fields: readonly string[]
  readonly kinds: readonly ValueKind[]
}

/** One collection of a projection as documents. */
export class Shape {
  readonly fields: readonly string[]
  /** Rows are added and never change. */
  readonly isFacts: boolean
  readonly sums: RowSums
  readonly #name: string
  readonly #kinds: Readonly<Record<string, ValueKind>>
  readonly #key: IndexText
  readonly #indexes: readonly IndexText[]
  readonly #shardBy: string
  readonly #shardPlace: number

  constructor(name: string, { kind, fields, key, indexes = [], shardBy = key[0] ?? '' }: CollectionSchema) {
    this.#name = name
    this.sums = new RowSums(name, { fields, key }, sumsForm)
    this.fields = Object.keys(fields)
    this.isFacts = kind === 'facts'
    this.#kinds = Object.fromEntries(Object.entries(fields).map(([field, kind]) => [field, valueKind(kind)]))
    this.#key = { name: '_id', fields: key, kinds: this.#kindsOf(key) }
    this.#indexes = indexes.map((index, place) => {
      const all = [...index, ...key.filter((field) => !index.includes(field))]
      return { name: `_i${place}`, fields: all, kinds: this.#kindsOf(all) }
    })
    this.#shardBy = shardBy
    this.#shardPlace = key.indexOf(shardBy)
    if (this.#shardPlace < 0)
      throw new Error(`collection ${name} is distributed by ${shardBy}, which is no field of its key`)
    const odd = this.fields.find((field) => !/^[A-Za-z]\w*$/.test(field))
    if (odd !== undefined)
      throw new Error(`collection ${name} has a field ${odd}; a name is a letter, then letters and digits`)
  }

  /** Fields that need an index. */
  get indexNames(): string[] {
    return this.#indexes.map(({ name }) => name)
  }

  /** The document of a row, without the version of its commit. */
  put(row: Row): Stored {
    const document: Record<string, unknown> = { _id: encodeTuple(this.#key.kinds, this.#pick(row, this.#key)) }
    let bytes = 0
    for (const field of this.fields) {
      const value = keptValue(this.#exact(field, row[field] ?? null))
      bytes += bytesOf(value)
      document[field] = value
    }
    if (bytes > rowBytesMax) throw tooLarge(this.#name, bytes)
    for (const index of this.#indexes) document[index.name] = encodeTuple(index.kinds, this.#pick(row, index))
    document[this.sums.field] = this.sums.of(document as Row)
    return document as Stored
  }

  /** What stays of a deleted row, so that no older write brings it back. */
  remove(key: readonly Value[]): Stored {
    const document: Record<string, unknown> = { _id: this.idOf(key) }
    for (const [place, field] of this.#key.fields.entries()) document[field] = this.#exact(field, key[place] ?? null)
    document[deletedField] = true
    return document as Stored
  }

  /** Fields that a text which leads to rows is made of: `_id`, or one of the indexes. */
  fieldsOf(name: string): readonly string[] {
    return this.#textNamed(name).fields
  }

  /** What such a text has to be in a document with these fields. */
  textIn(document: Stored, name: string): string {
    const text = this.#textNamed(name)
    return encodeTuple(text.kinds, this.#pick(document as unknown as Row, text))
  }

  idOf(key: readonly Value[]): string {
    if (key.length !== this.#key.fields.length || key.includes(null))
      throw new Error(`a key of ${this.#key.fields.join(', ')} has ${key.length} values, or an absent one`)
    return encodeTuple(this.#key.kinds, key)
  }

  /** Finds one document for writing. Carries the field by which a sharded deployment distributes rows. */
  filterOf(document: Stored): { _id: string } {
    return { _id: document._id, [this.#shardBy]: document[this.#shardBy] }
  }

  /** Finds rows by key; in a sharded deployment only on the shards that have them. */
  filterOfKeys(keys: readonly (readonly Value[])[], isSharded: boolean): object {
    const byId = { _id: { $in: keys.map((key) => this.idOf(key)) } }
    if (!isSharded) return byId
    return { ...byId, [this.#shardBy]: { $in: keys.map((key) => key[this.#shardPlace]) } }
  }

  /** The field whose order a query follows, with the range of it; undefined when nothing can match. */
  rangeOf({ collection, index, prefix = [], lower, upper }: RowQuery): { field: string; range: TextRange } | undefined {
    // With the key, since that breaks ties: the beginning of a longer index would give another order.
    const wanted = [...new Set([...index, ...this.#key.fields])]
    const found = [this.#key, ...this.#indexes].find(
      ({ fields }) => fields.slice(0, wanted.length).join() === wanted.join(),
    )
    if (!found) throw new Error(`collection ${collection} has no index on ${index.join()}`)
    const range = encodeRange(found.kinds, { prefix, lower, upper })
    return range && { field: found.name, range }
  }

  /** Keys behind this one; all where it is undefined. */
  rangeBehind(key: readonly Value[] | undefined): TextRange {
    return key ? rangeBehind(this.#key.kinds, key) : encodeRange(this.#key.kinds, { prefix: [] })!
  }

  #textNamed(name: string): IndexText {
    return [this.#key, ...this.#indexes].find((each) => each.name === name)!
  }

  #kindsOf(fields: readonly string[]): ValueKind[] {
    return fields.map((field) => {
      const kind = this.#kinds[field]
      if (!kind) throw new Error(`there is no field ${field}`)
      return kind
    })
  }

  #pick(row: Row, { fields }: IndexText): Value[] {
    return fields.map((field) => row[field] ?? null)
  }

  /** A number that stands for 64 bits has to be a bigint, or it would be stored as 32 bits or as a fraction. */
  #exact(field: string, value: Value): Value {
    return typeof value === 'number' && this.#kinds[field] === 'int64' ? BigInt(value) : value
  }
}

function bytesOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.byteLength : 8
}

function tooLarge(collection: string, bytes: number): LedgerError {
  return new LedgerError(
    'store_misconfigured',
    `A row of ${collection} has ${bytes} bytes, and MongoDB stores at most ${rowBytesMax}; keep this read model in the embedded store`,
    { collection, bytes },
  )
}

export function shapesOf({ collections }: ProjectionSchema): Map<string, Shape> {
  return new Map(Object.entries(collections).map(([name, collection]) => [name, new Shape(name, collection)]))
}

/** The row that a document holds, from fields that were asked for; what the port promises for each kind of value. */
export function rowOf(document: Stored, select: readonly string[]): Row {
  const row: Record<string, Value> = {}
  for (const field of select) row[field] = (document[field] ?? null) as Value
  return row
}
