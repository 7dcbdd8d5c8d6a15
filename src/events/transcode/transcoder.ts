import protobuf from 'protobufjs'
import { type AvroField, type AvroRecord, type AvroSchema, fullName, isRecord, isUnion } from '#src/events/avro-schema.ts'
import { eventMessage } from '#src/events/decode/protobuf.ts'
import * as values from '#src/events/transcode/wire-values.ts'

/**
 * Writes the message that lies from `at` to `end` as an Avro record and returns the place behind it. Throws `notPlain` at
 * what the definitions do not know, and at whatever else is so rare that the general way may have it.
 */
export type Transcode = (bytes: Uint8Array, at: number, end: number, target: Uint8Array, to: number) => number

/**
 * Functions from serialized messages to the Avro records of one schema that their decoded forms would be encoded to, byte
 * for byte. They are generated from both definitions, as protobufjs and avsc generate theirs, so neither is told here again.
 */
export class Transcoders {
  readonly #records = new Map<string, AvroRecord>()
  readonly #made = new Map<protobuf.Type, Transcode | undefined>()

  constructor(schema: AvroRecord) {
    this.#addRecords(schema, undefined)
  }

  /** Of a message by its full name, which the schema has as the record of a field somewhere. */
  of(message: string, field: AvroSchema): Transcode {
    return this.#transcode(eventMessage(message), this.#recordIn(field))
  }

  #transcode(type: protobuf.Type, record: AvroRecord): Transcode {
    const known = this.#made.get(type)
    if (known) return known
    if (this.#made.has(type)) throw new Error(`${type.fullName} holds itself, for which transcoder.ts has no rule`)
    this.#made.set(type, undefined)
    const parts = type.fieldsArray.flatMap((field) => partOf(field))
    const columns = record.fields.map((avro) => ({ avro, part: parts.find(({ field }) => field.name === avro.name) }))
    const nested = columns.map(({ avro, part }) => {
      const inner = part?.field.resolvedType
      return inner instanceof protobuf.Type ? this.#transcode(inner, this.#recordIn(avro.type)) : undefined
    })
    const transcode = generate(type.name, parts, columns, nested)
    this.#made.set(type, transcode)
    return transcode
  }

  #addRecords(schema: AvroSchema, namespace: string | undefined): void {
    if (isUnion(schema)) for (const branch of schema) this.#addRecords(branch, namespace)
    else if (isRecord(schema)) {
      this.#records.set(fullName(schema, namespace), schema)
      for (const { type } of schema.fields) this.#addRecords(type, schema.namespace ?? namespace)
    } else if (typeof schema === 'object') this.#addRecords(schema.items, namespace)
  }

  #recordIn(schema: AvroSchema): AvroRecord {
    if (isUnion(schema)) return this.#recordIn(schema[1]!)
    if (typeof schema !== 'string') return isRecord(schema) ? schema : this.#recordIn(schema.items)
    const record = this.#records.get(schema)
    if (!record) throw new Error(`The schema has no record ${schema}`)
    return record
  }
}

/** A field as it comes on the wire. */
interface Part {
  readonly field: protobuf.Field
  readonly copy: string
  readonly tag: number
}

/** A field as it goes into the record; without a part it cannot be there in a plain form. */
interface Column {
  readonly avro: AvroField
  readonly part: Part | undefined
}

const wireVarint = 0
const wireBytes = 2

/** How the values of each type get from one form to the other, and what they are on the wire. */
const scalars: Readonly<Record<string, { readonly wire: number; readonly copy: keyof typeof values }>> = {
  int64: { wire: wireVarint, copy: 'copyInt64' },
  uint64: { wire: wireVarint, copy: 'copyInt64' },
  int32: { wire: wireVarint, copy: 'copyInt32' },
  sint64: { wire: wireVarint, copy: 'copyZigzag' },
  bool: { wire: wireVarint, copy: 'copyBool' },
  bytes: { wire: wireBytes, copy: 'copyBytes' },
  string: { wire: wireBytes, copy: 'copyText' },
}

/** Nothing for a type that has no plain form. */
function partOf(field: protobuf.Field): Part[] {
  const { id, type, resolvedType, repeated } = field
  if (resolvedType instanceof protobuf.Type) {
    return resolvedType.fullName.startsWith('.google.protobuf.') ? [] : [{ field, copy: '', tag: (id << 3) | wireBytes }]
  }
  const scalar = scalars[resolvedType ? 'int32' : type]
  return scalar ? [{ field, copy: scalar.copy, tag: (id << 3) | (repeated ? wireBytes : scalar.wire) }] : []
}

/** First all fields are found, then they are written in the order of the record: an absent one is a zero byte, whatever it is. */
function generate(
  name: string,
  parts: readonly Part[],
  columns: readonly Column[],
  nested: readonly (Transcode | undefined)[],
): Transcode {
  for (const { avro } of columns) {
    if (avro.type === 'float' || avro.type === 'double') throw new Error(`${name}.${avro.name} is no zero byte when absent`)
  }
  const code = `
    const { ${Object.keys(values).join(', ')} } = values
    ${nested.map((_, index) => `const nested${index} = nested[${index}]`).join('\n')}
    return function transcode${name}(b, at, end, out, to) {
      let last = 0${parts.map(({ field: { id } }) => `, p${id} = 0, n${id} = 0`).join('')}
      while (at < end) {
        let tag = b[at++]
        if (tag >= 0x80) {
          tag = (tag & 0x7f) | (b[at++] << 7)
          if (tag < 0x80 || tag >= 0x4000) throw notPlain
        }
        switch (tag) {
          ${parts.map(findPart).join('\n')}
          default: throw notPlain
        }
        last = tag
      }
      if (at !== end) throw notPlain
      ${columns.map(writeColumn).join('\n')}
      return to
    }`
  return new Function('values', 'nested', code)(values, nested) as Transcode
}

/** Of a repeated field the first is remembered, so the others have to follow it at once. */
function findPart({ field: { id, repeated }, tag, copy }: Part): string {
  const skip = (tag & 7) === wireBytes ? 'skipBytes' : 'skipVarint'
  const isList = repeated && !isPacked(copy)
  const once = isList ? `if (n${id} === 0) p${id} = at; else if (last !== ${tag}) throw notPlain` : `if (n${id} !== 0) throw notPlain; p${id} = at`
  return `case ${tag}: ${once}; n${id}++; at = ${skip}(b, at); break`
}

function isPacked(copy: string): boolean {
  return copy !== '' && copy !== 'copyBytes' && copy !== 'copyText'
}

function writeColumn({ avro, part }: Column, index: number): string {
  if (!part) return 'out[to++] = 0'
  const { field, copy, tag } = part
  const { id } = field
  const value =
    copy === ''
      ? `to = nested${index}(b, startOf(b, at), skipBytes(b, at), out, to)`
      : `to = ${copy}(b, at, out, to)`
  const present = field.repeated ? writeList(id, value, copy, tag) : `at = p${id}; ${isUnion(avro.type) ? 'out[to++] = 2; ' : ''}${value}`
  return `if (n${id} === 0) out[to++] = 0; else { ${present} }`
}

function writeList(id: number, value: string, copy: string, tag: number): string {
  if (!isPacked(copy)) {
    const next = tag < 0x80 ? 1 : 2
    return `to = writeNumber(n${id}, out, to); at = p${id}
      for (let i = 0; i < n${id}; i++) { ${value}; at = skipBytes(b, at) + ${next} }
      out[to++] = 0`
  }
  return `const stop = skipBytes(b, p${id}); let count = 0
    for (at = startOf(b, p${id}); at < stop; count++) at = skipVarint(b, at)
    if (at !== stop) throw notPlain
    if (count > 0) to = writeNumber(count, out, to)
    for (at = startOf(b, p${id}); at < stop; at = skipVarint(b, at)) { ${value} }
    out[to++] = 0`
}
