import { compile } from '#src/domain/compile.ts'
import {
  type AvroField,
  type AvroRecord,
  type AvroSchema,
  fullName,
  isArray,
  isUnion,
  namespaceOf,
  qualified,
} from '#src/events/avro-schema.ts'
import { readBranch, readLong } from '#src/events/avro-types.ts'

/** Reads the event whose Avro data begins at an offset. */
export type LazyReader = (buffer: Buffer, offset: number) => object

/**
 * A reader of some fields of the events that one schema wrote, built as source text from it. Numbers, texts and bytes are
 * read at once; records and lists are passed over, and read when somebody asks for them. What comes behind the transaction's
 * record is not even passed over before somebody asks for any of it: of the many bodies that a transaction may have, hardly
 * any fold looks into one. Byte arrays are views of the buffer. Throws `RangeError` for data that ends too early or is not what
 * the schema says; what is asked for throws it where that is behind the record.
 */
export function createLazyReader(schema: AvroRecord, fields: readonly string[]): LazyReader {
  const source = new ReaderSource(schema, new Set(fields))
  return compile(source.text(), { readLong, readBranch })
}

/** Functions over a cursor `t`, as avsc has one; `end` is where the data ends. */
const primitives = `
  const t = { buf: undefined, pos: 0 }
  let end
  const seek = (buffer, at) => { t.buf = buffer; t.pos = at; end = buffer.length }
  const truncated = () => { throw new RangeError('truncated buffer: the event ends before its last field') }
  const long = () => readLong(t)
  const int = () => {
    const { buf } = t
    let byte = buf[t.pos++], value = byte & 0x7f
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = buf[t.pos++]
      if (shift > 28) throw new RangeError('An int in the event has more than 32 bits')
      value |= (byte & 0x7f) << shift
    }
    return (value >>> 1) ^ -(value & 1)
  }
  const flag = () => t.buf[t.pos++] === 1
  const size = () => { const n = int(); if (n < 0 || n > end - t.pos) truncated(); return n }
  const nothing = Buffer.alloc(0)
  const bytes = () => { const n = size(); if (n === 0) return nothing; const from = t.pos; t.pos += n; return t.buf.subarray(from, t.pos) }
  const text = () => { const n = size(), from = t.pos; t.pos += n; return t.buf.utf8Slice(from, t.pos) }
  const skipNumber = () => { while (t.buf[t.pos++] & 0x80); }
  const skipBytes = () => { const n = size(); t.pos += n }
  const some = () => readBranch(t) === 1
  const list = (item) => {
    const items = []
    for (;;) {
      let n = int()
      if (n === 0) return items
      // A block that says its size in bytes, too.
      if (n < 0) { n = -n; skipNumber() }
      for (; n > 0; n--) { items.push(item()); if (t.pos > end) truncated() }
    }
  }
  const skipList = (skip) => {
    for (;;) {
      let n = int()
      if (n === 0) return
      if (n < 0) skipBytes()
      else for (; n > 0; n--) { skip(); if (t.pos > end) truncated() }
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

/**
 * Fields whose record is read bit by bit too: of the transaction's record, hardly any fold looks beyond what is not there.
 * Reading an event ends before the first of them until more is asked for.
 */
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
        seek(buffer, offset)
        const event = readEvent()
        if (t.pos > end) truncated()
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
    const pause = fields.findIndex((field) => wanted?.has(field.name) && lazyWithin.has(field.name))
    const parts = fields.map((field, index) => this.#lazyField(field, wanted, namespace, pause !== -1 && index > pause))
    const reads = parts.map(({ read }) => read)
    const members = parts.map(({ member }) => member).join('\n')
    if (pause === -1)
      return `
      class ${name} {
        _buffer = t.buf
        ${members}
      }
      const read${name} = () => {
        const e = new ${name}()
        ${reads.join('\n')}
        return e
      }`
    const paused = `_${fields[pause]!.name}`
    return `
      class ${name} {
        _buffer = t.buf
        _rest = 0
        ${members}
      }
      const read${name} = () => {
        const e = new ${name}()
        ${reads.slice(0, pause).join('\n')}
        if (t.pos >= end) truncated()
        e._rest = t.pos
        e.${paused} = t.buf[t.pos] === 0 ? null : t.pos
        return e
      }
      const readRest = (e) => {
        seek(e._buffer, e._rest)
        e._rest = 0
        ${this.#skip(fields[pause]!.type, namespace)}
        ${reads.slice(pause + 1).join('\n')}
        if (t.pos > end) truncated()
      }`
  }

  #lazyField(
    { name, type }: AvroField,
    wanted: ReadonlySet<string> | undefined,
    namespace: string | undefined,
    isBehindPause: boolean,
  ): { readonly read: string; readonly member: string } {
    // Every type is visited, since later ones may refer to a record by the name that it has here.
    const skip = this.#skip(type, namespace)
    if (wanted && !wanted.has(name)) return { read: skip, member: '' }
    const value = isUnion(type) ? type[1]! : type
    const isPlain = typeof value === 'string' && value in readers
    const reach = isBehindPause ? 'if (this._rest !== 0) readRest(this)' : ''
    if (isPlain && isBehindPause)
      return {
        read: `e._${name} = ${this.#read(type, namespace)}`,
        member: `_${name}
          get ${name}() {
            ${reach}
            return this._${name}
          }`,
      }
    if (isPlain) return { read: `e.${name} = ${this.#read(type, namespace)}`, member: name }
    const read = wanted !== undefined && lazyWithin.has(name) ? this.#lazily(value as AvroRecord, namespace) : undefined
    const member = `_${name}
      get ${name}() {
        ${reach}
        const value = this._${name}
        if (typeof value !== 'number') return value
        seek(this._buffer, value)
        const read = ${read === undefined ? this.#read(type, namespace) : `(some() ? ${read}() : null)`}
        if (t.pos > end) truncated()
        return this._${name} = read
      }`
    return {
      read: isUnion(type)
        ? `if (t.buf[t.pos] === 0) { t.pos++; e._${name} = null } else { e._${name} = t.pos; ${skip} }`
        : `e._${name} = t.pos; ${skip}`,
      member,
    }
  }

  #lazily(record: AvroRecord, namespace: string | undefined): string {
    const within = namespaceOf(fullName(record, namespace))
    this.#functions.push(this.#lazyRecord(`Lazy${record.name}`, record.fields, undefined, within))
    return `readLazy${record.name}`
  }

  /** An expression that reads a value. */
  #read(type: AvroSchema, namespace: string | undefined): string {
    if (isUnion(type)) return `(some() ? ${this.#read(type[1]!, namespace)} : null)`
    return isArray(type) ? `list(${this.#reader(type.items, namespace)})` : `${this.#reader(type, namespace)}()`
  }

  /** A statement that passes one over. */
  #skip(type: AvroSchema, namespace: string | undefined): string {
    if (isUnion(type)) return `if (some()) { ${this.#skip(type[1]!, namespace)} }`
    return isArray(type) ? `skipList(${this.#skipper(type.items, namespace)})` : `${this.#skipper(type, namespace)}()`
  }

  /** A function that reads a value. */
  #reader(type: AvroSchema, namespace: string | undefined): string {
    if (typeof type === 'string' && type in readers) return readers[type]!
    if (isUnion(type) || isArray(type)) return `() => ${this.#read(type, namespace)}`
    return `read${this.#numberOf(type, namespace)}`
  }

  #skipper(type: AvroSchema, namespace: string | undefined): string {
    if (typeof type === 'string' && type in skippers) return skippers[type]!
    if (isUnion(type) || isArray(type)) return `() => { ${this.#skip(type, namespace)} }`
    return `skip${this.#numberOf(type, namespace)}`
  }

  #numberOf(type: string | AvroRecord, namespace: string | undefined): number {
    const name = typeof type === 'string' ? qualified(type, namespace) : fullName(type, namespace)
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (typeof type === 'string') throw new Error(`The schema refers to ${name} before it says what that is`)
    const number = this.#numbers.size
    this.#numbers.set(name, number)
    const within = namespaceOf(name)
    const reads = type.fields.map((field) => `${field.name}: ${this.#read(field.type, within)}`)
    const skips = type.fields.map((field) => this.#skip(field.type, within))
    this.#functions.push(`const read${number} = () => ({ ${reads.join(', ')} })`)
    this.#functions.push(`const skip${number} = () => { ${skips.join('\n')} }`)
    return number
  }
}
