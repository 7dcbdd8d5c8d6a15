import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'
import {
  type AvroField,
  type AvroRecord,
  type AvroSchema,
  fullName,
  isRecord,
  isUnion,
} from '#src/events/avro-schema.ts'

/** Reads the event whose Avro data begins at an offset. */
export type LazyReader = (buffer: Buffer, offset: number) => object

/**
 * A reader of some fields of the events that one schema wrote, built as source text from it. Numbers, texts and bytes are
 * read at once; records and lists are passed over, and read when somebody asks for them: of the many bodies that a
 * transaction may have, hardly any fold looks into one. Byte arrays are views of the buffer. Throws `RangeError` for data
 * that ends too early or is not what the schema says.
 */
export function createLazyReader(schema: AvroRecord, fields: readonly string[]): LazyReader {
  const source = new ReaderSource(schema, new Set(fields))
  return new Function('words', 'whole', 'low', 'high', source.text())(words, whole, lowWord, highWord) as LazyReader
}

/** Functions over a buffer `b` and a position `p` in it; `end` is where the data ends. */
const primitives = `
  let b, p, end
  const bad = (what) => { throw new RangeError(what) }
  const truncated = () => bad('truncated buffer: the event ends before its last field')
  const long = () => {
    let byte = b[p++], l = byte & 0x7f, h = 0
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = b[p++]
      if (shift < 28) l |= (byte & 0x7f) << shift
      else if (shift === 28) { l |= (byte & 0x7f) << 28; h = (byte & 0x7f) >>> 4 }
      else if (shift <= 63) h |= (byte & 0x7f) << (shift - 32)
      else bad('A long in the event has more than 64 bits')
    }
    const sign = -(l & 1)
    words[low] = ((l >>> 1) | (h << 31)) ^ sign
    words[high] = (h >>> 1) ^ sign
    return whole[0]
  }
  const int = () => {
    let byte = b[p++], value = byte & 0x7f
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = b[p++]
      if (shift > 28) bad('An int in the event has more than 32 bits')
      value |= (byte & 0x7f) << shift
    }
    return (value >>> 1) ^ -(value & 1)
  }
  const flag = () => b[p++] === 1
  const size = () => { const n = int(); if (n < 0 || n > end - p) truncated(); return n }
  const nothing = Buffer.alloc(0)
  const bytes = () => { const n = size(); if (n === 0) return nothing; const from = p; p += n; return b.subarray(from, p) }
  const text = () => { const n = size(), from = p; p += n; return b.utf8Slice(from, p) }
  const skipNumber = () => { while (b[p++] & 0x80); }
  const skipBytes = () => { const n = size(); p += n }
  const some = () => {
    const branch = b[p++]
    if (branch === 0) return false
    if (branch === 2) return true
    if (branch === undefined) truncated()
    bad('An optional field of the event starts with byte ' + branch + ', neither null nor a value')
  }
  const list = (item) => {
    const items = []
    for (;;) {
      let n = int()
      if (n === 0) return items
      if (n < 0) { n = -n; skipNumber() }
      for (; n > 0; n--) { items.push(item()); if (p > end) truncated() }
    }
  }
  const skipList = (skip) => {
    for (;;) {
      let n = int()
      if (n === 0) return
      if (n < 0) { p += int(); if (p > end) truncated(); continue }
      for (; n > 0; n--) { skip(); if (p > end) truncated() }
    }
  }`

const readers: Readonly<Record<string, string>> = {
  long: 'long',
  int: 'int',
  boolean: 'flag',
  bytes: 'bytes',
  string: 'text',
}
const skippers: Readonly<Record<string, string>> = {
  long: 'skipNumber',
  int: 'skipNumber',
  boolean: 'flag',
  bytes: 'skipBytes',
  string: 'skipBytes',
}

/** Fields whose record is read bit by bit too: of the transaction's record, hardly any fold looks beyond what is not there. */
const lazyWithin: ReadonlySet<string> = new Set(['record'])

class ReaderSource {
  readonly #event: AvroRecord
  readonly #wanted: ReadonlySet<string>
  /** Number of each record by full name; its functions are called by it. */
  readonly #numbers = new Map<string, number>()
  readonly #functions: string[] = []

  constructor(event: AvroRecord, wanted: ReadonlySet<string>) {
    this.#event = event
    this.#wanted = wanted
  }

  text(): string {
    const { fields, namespace } = this.#event
    const last = fields.findLastIndex(({ name }) => this.#wanted.has(name))
    const event = this.#lazyRecord('Event', fields.slice(0, last + 1), this.#wanted, namespace)
    return `${primitives}
      ${this.#functions.join('\n')}
      ${event}
      return (buffer, offset) => {
        b = buffer; p = offset; end = buffer.length
        const event = readEvent()
        if (p > end) truncated()
        return event
      }`
  }

  /** A class whose instances read on when they are asked, and the function that makes one of what is at the position. */
  #lazyRecord(
    name: string,
    fields: readonly AvroField[],
    wanted: ReadonlySet<string> | undefined,
    namespace: string | undefined,
  ): string {
    const parts = fields.map((field) => this.#lazyField(field, wanted, namespace))
    return `
      class ${name} {
        _buffer = b
        ${parts.map(({ member }) => member).join('\n')}
      }
      const read${name} = () => {
        const e = new ${name}()
        ${parts.map(({ read }) => read).join('\n')}
        return e
      }`
  }

  #lazyField(
    { name, type }: AvroField,
    wanted: ReadonlySet<string> | undefined,
    namespace: string | undefined,
  ): { readonly read: string; readonly member: string } {
    // Every type is visited, since later ones may refer to a record by the name that it has here.
    const skip = this.#skip(type, namespace)
    if (wanted && !wanted.has(name)) return { read: skip, member: '' }
    const value = isUnion(type) ? type[1]! : type
    const isPlain = typeof value === 'string' && value in readers
    if (isPlain) return { read: `e.${name} = ${this.#read(type, namespace)}`, member: name }
    const read = wanted !== undefined && lazyWithin.has(name) ? this.#lazily(value as AvroRecord, namespace) : undefined
    const member = `_${name}
      get ${name}() {
        const value = this._${name}
        if (typeof value !== 'number') return value
        b = this._buffer; p = value; end = b.length
        return this._${name} = ${read === undefined ? this.#read(type, namespace) : `(some() ? ${read}() : null)`}
      }`
    return {
      read: isUnion(type)
        ? `if (b[p] === 0) { p++; e._${name} = null } else { e._${name} = p; ${skip} }`
        : `e._${name} = p; ${skip}`,
      member,
    }
  }

  #lazily(record: AvroRecord, namespace: string | undefined): string {
    const name = fullName(record, namespace)
    const within = name.slice(0, Math.max(name.lastIndexOf('.'), 0))
    this.#functions.push(this.#lazyRecord(`Lazy${record.name}`, record.fields, undefined, within))
    return `readLazy${record.name}`
  }

  /** An expression that reads a value. */
  #read(type: AvroSchema, namespace: string | undefined): string {
    if (isUnion(type)) return `(some() ? ${this.#read(type[1]!, namespace)} : null)`
    return typeof type === 'object' && !isRecord(type)
      ? `list(${this.#reader((type as { items: AvroSchema }).items, namespace)})`
      : `${this.#reader(type, namespace)}()`
  }

  /** A statement that passes one over. */
  #skip(type: AvroSchema, namespace: string | undefined): string {
    if (isUnion(type)) return `if (some()) { ${this.#skip(type[1]!, namespace)} }`
    return typeof type === 'object' && !isRecord(type)
      ? `skipList(${this.#skipper((type as { items: AvroSchema }).items, namespace)})`
      : `${this.#skipper(type, namespace)}()`
  }

  /** A function that reads a value. */
  #reader(type: AvroSchema, namespace: string | undefined): string {
    if (typeof type === 'string' && type in readers) return readers[type]!
    if (typeof type === 'string' || isRecord(type)) return `read${this.#numberOf(type, namespace)}`
    return `() => ${this.#read(type, namespace)}`
  }

  #skipper(type: AvroSchema, namespace: string | undefined): string {
    if (typeof type === 'string' && type in skippers) return skippers[type]!
    if (typeof type === 'string' || isRecord(type)) return `skip${this.#numberOf(type, namespace)}`
    return `() => { ${this.#skip(type, namespace)} }`
  }

  #numberOf(type: string | AvroRecord, namespace: string | undefined): number {
    const name = typeof type === 'string' ? qualified(type, namespace) : fullName(type, namespace)
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (typeof type === 'string') throw new Error(`The schema refers to ${name} before it says what that is`)
    const number = this.#numbers.size
    this.#numbers.set(name, number)
    const within = name.slice(0, Math.max(name.lastIndexOf('.'), 0))
    const reads = type.fields.map((field) => `${field.name}: ${this.#read(field.type, within)}`)
    const skips = type.fields.map((field) => this.#skip(field.type, within))
    this.#functions.push(`const read${number} = () => ({ ${reads.join(', ')} })`)
    this.#functions.push(`const skip${number} = () => { ${skips.join('\n')} }`)
    return number
  }
}

function qualified(name: string, namespace: string | undefined): string {
  return name.includes('.') || !namespace ? name : `${namespace}.${name}`
}
