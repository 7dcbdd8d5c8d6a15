import protobuf from 'protobufjs'
import { asBuffer } from '#src/domain/bytes.ts'
import { compile } from '#src/domain/compile.ts'
import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'
import { loadDescriptor } from '#src/events/descriptor.ts'

let tuned: protobuf.Root | undefined

/** A protobufjs reader that gives 64-bit integers as bigint and remembers whether it met fields that no message declares. */
class EventReader extends protobuf.BufferReader {
  unknown = false

  open(bytes: Buffer): this {
    this.buf = bytes
    this.pos = 0
    this.len = bytes.length
    this.unknown = false
    return this
  }

  override skipType(wireType: number, depth?: number): protobuf.Reader {
    this.unknown = true
    // The depth bounds nested groups; the published typings lack it.
    return (super.skipType as (wireType: number, depth?: number) => protobuf.Reader).call(this, wireType, depth)
  }

  // Unsigned values above 2^63-1 come as their two's complement, as the event schemas say.
  override int64(): never {
    this.#varint()
    return whole[0] as never
  }

  override uint64(): never {
    this.#varint()
    return whole[0] as never
  }

  override sint64(): never {
    this.#varint()
    const low = words[lowWord]!
    const high = words[highWord]!
    const sign = -(low & 1)
    words[lowWord] = ((low >>> 1) | (high << 31)) ^ sign
    words[highWord] = (high >>> 1) ^ sign
    return whole[0] as never
  }

  #varint(): void {
    const { buf, len } = this
    let pos = this.pos
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (pos >= len) throw new RangeError('A varint ends beyond its message')
      const byte = buf[pos++]!
      if (shift < 28) low |= (byte & 0x7f) << shift
      else if (shift === 28) {
        low |= (byte & 0x7f) << 28
        high = (byte & 0x7f) >>> 4
      } else high |= (byte & 0x7f) << (shift - 32)
      if (byte < 0x80) break
      if (shift === 63) throw new RangeError('A varint has more than ten bytes')
    }
    this.pos = pos
    words[lowWord] = low
    words[highWord] = high
  }
}

const reader = new EventReader(Buffer.alloc(0))

export interface Decoded<M> {
  readonly message: M
  /** Somewhere inside is a field that the definitions do not know, so `message` is not all that the bytes say. */
  readonly unknown: boolean
}

/** Decodes bytes into the shape that the event schemas give the message. Throws on bytes that are no such message. */
export function decodeMessage<M>(type: protobuf.Type, bytes: Uint8Array): Decoded<M> {
  const message = type.decode(reader.open(asBuffer(bytes))) as unknown as M
  return { message, unknown: reader.unknown }
}

/**
 * A message type whose decoded objects have the shape of the event schemas: every field an own property, bigint for
 * longs, null for what is absent, wrapper messages as their value, enums as numbers.
 */
export function eventMessage(name: string): protobuf.Type {
  tuned ??= tuneForEvents(loadDescriptor())
  return tuned.lookupType(name)
}

/** Fields taken as raw bytes, which are the same on the wire: text as received, and what travels serialized. */
const rawFields: Readonly<Record<string, readonly string[]>> = {
  'proto.TransactionBody': ['memo', 'batchKey'],
  'proto.TransactionRecord': ['memo'],
}

/** So wide that filling in all fields would cost more than looking absent ones up on the prototype. */
const wideMessages = new Set(['.proto.TransactionBody'])

const emptyBytes = Buffer.alloc(0)
const emptyList = Object.freeze([])
const wrapperPackage = '.google.protobuf.'

function tuneForEvents(root: protobuf.Root): protobuf.Root {
  for (const [name, fields] of Object.entries(rawFields)) {
    for (const field of fields) retype(root.lookupType(name).fields[field]!, 'bytes')
  }
  const types = [...messageTypes(root)]
  for (const field of types.flatMap((type) => type.fieldsArray)) {
    if (field.type === 'uint32') retype(field, 'uint64')
  }
  for (const type of types) type.ctor = messageConstructor(type)
  for (const type of types) if (type.fullName.startsWith(wrapperPackage)) unwrap(type)
  return root
}

/** Gives a field a type with the same wire form. */
function retype(field: protobuf.Field, type: string): void {
  field.type = type
  field.resolvedType = null
  field.resolved = false
  field.bytes = type === 'bytes'
  field.long = type in protobuf.types.long
  field.resolve()
}

function* messageTypes(namespace: protobuf.NamespaceBase): Generator<protobuf.Type> {
  for (const member of namespace.nestedArray) {
    if (member instanceof protobuf.Type) yield member
    if (member instanceof protobuf.Namespace) yield* messageTypes(member)
  }
}

/**
 * A constructor that sets every field to its default in one go, so that all objects of a message have one layout. It is
 * generated, as protobufjs generates its decoders: a loop over names would take most of the decoding time.
 */
function messageConstructor(type: protobuf.Type): protobuf.Constructor<object> {
  const fields = wideMessages.has(type.fullName) ? [] : type.fieldsArray
  const assignments = fields.map((field, index) => `this.${field.name}=defaults[${index}]`)
  const source = `return function ${type.name}(){${assignments.join(';')}}`
  const message = compile<protobuf.Constructor<object>>(source, { defaults: fields.map(defaultOf) })
  const prototype = new protobuf.Message() as unknown as Record<string, unknown>
  for (const field of type.fieldsArray) prototype[field.name] = defaultOf(field)
  Object.assign(message, { prototype: Object.assign(prototype, { constructor: message }) })
  return message
}

function defaultOf(field: protobuf.Field): unknown {
  if (field.repeated) return emptyList
  if (field.partOf || field.resolvedType instanceof protobuf.Type) return null
  if (field.resolvedType) return 0
  if (field.type === 'bytes') return emptyBytes
  if (field.type === 'string') return ''
  if (field.type === 'bool') return false
  return field.type in protobuf.types.long ? 0n : 0
}

/** Makes a wrapper message decode to the value inside it. */
function unwrap(type: protobuf.Type): void {
  type.setup()
  const decode = type.decode as unknown as (...args: unknown[]) => { value: unknown }
  type.decode = ((...args: unknown[]) => decode.apply(type, args).value) as unknown as typeof type.decode
}
