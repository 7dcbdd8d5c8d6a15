import protobuf from 'protobufjs'
import { compile } from '#src/domain/compile.ts'
import {
  type AvroField,
  type AvroRecord,
  type AvroSchema,
  fullName,
  isRecord,
  isUnion,
} from '#src/events/avro-schema.ts'
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
    const steps = type.fieldsArray
      .toSorted((a, b) => a.id - b.id)
      .map((field) =>
        this.#step(
          field,
          record.fields.find(({ name }) => name === field.name),
        ),
      )
    const order = steps.flatMap(({ avro }) => avro ?? [])
    if (order.some((avro, index) => avro !== record.fields[index]))
      throw new Error(`${record.name} has its fields in another order than ${type.fullName}`)
    const transcode = generate(type.name, steps)
    this.#made.set(type, transcode)
    return transcode
  }

  #step(field: protobuf.Field, avro: AvroField | undefined): Step {
    const { resolvedType } = field
    const isWrapper = resolvedType?.fullName.startsWith('.google.protobuf.') === true
    const scalar = scalars[resolvedType ? 'int32' : field.type]
    if (resolvedType instanceof protobuf.Type && !isWrapper) {
      const nested = avro && this.#transcode(resolvedType, this.#recordIn(avro.type))
      return { field, avro, nested, copy: '', wire: wireBytes }
    }
    const isPlain = !isWrapper && scalar !== undefined
    return { field, avro, nested: undefined, copy: isPlain ? scalar.copy : undefined, wire: scalar?.wire ?? wireBytes }
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

interface Step {
  readonly field: protobuf.Field
  /** undefined: events have it elsewhere, or not at all. */
  readonly avro: AvroField | undefined
  readonly nested: Transcode | undefined
  /** Name of the function that copies a value; empty for a message, undefined for what has no plain form. */
  readonly copy: string | undefined
  readonly wire: number
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

/**
 * Fields come in the order of their numbers, as every producer writes them, and records have them in that order too. So each
 * is either next or absent, and what is absent is a zero byte, whatever it is.
 */
function generate(name: string, steps: readonly Step[]): Transcode {
  const code = `
    const { ${Object.keys(values).join(', ')} } = values
    ${steps.map((_, index) => `const nested${index} = nested[${index}]`).join('\n')}
    return function transcode${name}(b, at, end, out, to) {
      let tag = 0, next = 0, count = 0
      ${nextTag}
      ${steps.map(stepCode).join('\n')}
      if (tag !== -1 || at !== end) throw notPlain
      return to
    }`
  const nested = steps.map((step) => step.nested)
  return compile(code, { values, nested })
}

const nextTag = `
  tag = at < end ? b[at++] : -1
  if (tag >= 0x80) { tag = (tag & 0x7f) | (b[at++] << 7); if (tag < 0x80) throw notPlain }`

function stepCode({ field, avro, copy, wire }: Step, index: number): string {
  if (avro?.type === 'float' || avro?.type === 'double') throw new Error(`${avro.name} is no zero byte when absent`)
  const isList = field.repeated && (copy === '' || wire === wireBytes)
  const tag = (field.id << 3) | (field.repeated ? wireBytes : wire)
  if (copy === undefined) return avro ? 'out[to++] = 0' : ''
  const skip = (tag & 7) === wireBytes ? 'skipBytes' : 'skipVarint'
  if (!avro) return `while (tag === ${tag}) { at = ${skip}(b, at); ${nextTag} }`
  const value =
    copy === ''
      ? `next = skipBytes(b, at); to = nested${index}(b, startOf(b, at), next, out, to); at = next`
      : `to = ${copy}(b, at, out, to); at = ${wire === wireBytes ? 'skipBytes' : 'skipVarint'}(b, at)`
  const found = isList ? listCode(value, tag) : field.repeated ? packedCode(value) : value
  const some = isUnion(avro.type) ? 'out[to++] = 2; ' : ''
  return `if (tag === ${tag}) { ${some}${found}; ${nextTag} } else out[to++] = 0`
}

/** Avro says first how many there are. They follow each other. */
function listCode(value: string, tag: number): string {
  const isNext = tag < 0x80 ? `b[next] === ${tag}` : `b[next] === ${(tag & 0x7f) | 0x80} && b[next + 1] === ${tag >> 7}`
  const tagBytes = tag < 0x80 ? 1 : 2
  return `
    count = 1
    for (next = skipBytes(b, at); next < end && ${isNext}; next = skipBytes(b, next + ${tagBytes})) count++
    to = writeNumber(count, out, to)
    while (true) { ${value}; if (--count === 0) break; at += ${tagBytes} }
    out[to++] = 0`
}

/** Numbers that come one after the other in one field. */
function packedCode(value: string): string {
  return `
    const stop = skipBytes(b, at), start = startOf(b, at)
    for (at = start, count = 0; at < stop; count++) at = skipVarint(b, at)
    if (at !== stop) throw notPlain
    if (count > 0) to = writeNumber(count, out, to)
    for (at = start; at < stop; ) { ${value} }
    out[to++] = 0`
}
