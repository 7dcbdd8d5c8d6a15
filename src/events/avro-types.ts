import avsc from 'avsc'
import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'
import type { AvroSchema } from '#src/events/avro-schema.ts'

/** avsc's cursor over the bytes being read or written; the part of it that our types use. */
interface Tap {
  buf: Buffer
  pos: number
  readLong(): number
  writeLong(value: number): void
}

/** The hooks that avsc calls on every type while reading and writing; not in its published typings. */
export interface AvroType extends avsc.Type {
  _read(tap: Tap): unknown
  _write(tap: Tap, value: unknown): void
  _skip(tap: Tap): void
  _check(value: unknown, flags?: number, hook?: unknown, path?: unknown): boolean
}

/** Reads a zigzag varint of up to 64 bits at the cursor. */
export function readLong(tap: Tap): bigint {
  const { buf } = tap
  let pos = tap.pos
  let byte = buf[pos++]!
  let low = byte & 0x7f
  let high = 0
  for (let shift = 7; byte & 0x80; shift += 7) {
    byte = buf[pos++]!
    if (shift < 28) low |= (byte & 0x7f) << shift
    else if (shift === 28) {
      low |= (byte & 0x7f) << 28
      high = (byte & 0x7f) >>> 4
    } else if (shift <= 63) high |= (byte & 0x7f) << (shift - 32)
    else throw new RangeError('A long in the event has more than 64 bits')
  }
  tap.pos = pos
  const sign = -(low & 1)
  words[lowWord] = ((low >>> 1) | (high << 31)) ^ sign
  words[highWord] = (high >>> 1) ^ sign
  return whole[0]!
}

/** Writes a signed 64-bit integer as zigzag varint at the cursor. Past the end of the buffer only the cursor moves. */
function writeLong(tap: Tap, value: unknown): void {
  if (typeof value !== 'bigint') throw new TypeError(`A long is a bigint, not ${typeof value} ${String(value)}`)
  whole[0] = value
  if (whole[0] !== value) throw new RangeError(`${value} does not fit a signed 64-bit long`)
  const sign = (words[highWord]! | 0) >> 31
  let low = ((words[lowWord]! << 1) ^ sign) >>> 0
  let high = (((words[highWord]! << 1) | (words[lowWord]! >>> 31)) ^ sign) >>> 0
  const { buf } = tap
  let pos = tap.pos
  while (high !== 0) {
    buf[pos++] = (low & 0x7f) | 0x80
    low = ((low >>> 7) | (high << 25)) >>> 0
    high >>>= 7
  }
  while (low > 0x7f) {
    buf[pos++] = (low & 0x7f) | 0x80
    low >>>= 7
  }
  buf[pos++] = low
  tap.pos = pos
}

/** Avro `long` as exact bigint. avsc's own hook for this allocates a buffer per value; this reads and writes in place. */
const longType = Object.assign(
  Object.create(
    avsc.types.LongType.__with(
      {
        fromBuffer: () => unused(),
        toBuffer: () => unused(),
        fromJSON: (value: unknown) => BigInt(value as number),
        toJSON: (value: bigint) => Number(value),
        isValid: (value: unknown) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
        compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
      },
      true,
    ),
  ) as object,
  { _read: readLong, _write: writeLong },
) as AvroType

function unused(): never {
  throw new Error('Longs are read and written in place')
}

/** `null | x`, first branch null: told apart by null alone, where avsc would first test the value against each branch. */
function nullable(types: readonly AvroType[]): AvroType {
  const value = types[1]!
  const union = avsc.Type.forSchema([...types] as never, { wrapUnions: 'never' })
  return Object.assign(Object.create(union) as object, {
    _read: (tap: Tap) => (readBranch(tap) === 0 ? null : value._read(tap)),
    _skip: (tap: Tap) => {
      if (readBranch(tap) === 1) value._skip(tap)
    },
    _write: (tap: Tap, item: unknown) => {
      if (item === null) {
        tap.buf[tap.pos++] = 0
      } else {
        tap.buf[tap.pos++] = 2
        value._write(tap, item)
      }
    },
    _check: (item: unknown, flags?: number, hook?: unknown, path?: unknown) =>
      item === null || value._check(item, flags, hook, path),
  }) as AvroType
}

/** Which branch of `null | x` follows at the cursor. */
export function readBranch(tap: Tap): 0 | 1 {
  const byte = tap.buf[tap.pos++]
  if (byte === 0) return 0
  if (byte === 2) return 1
  if (byte === undefined) throw new RangeError('truncated buffer: the event ends before its last field')
  throw new RangeError(`An optional field of the event starts with byte ${byte}, neither null nor a value`)
}

/** Named types by full name; a schema compiled with it may refer to those, and adds its own. */
export type TypeRegistry = Record<string, AvroType>

/** Compiles a schema with exact longs and fast optional fields. */
export function compileType(schema: AvroSchema, registry: TypeRegistry = {}): AvroType {
  const hook = (part: AvroSchema, options: unknown): AvroType | undefined => {
    if (part === 'long') return longType
    if (!Array.isArray(part)) return undefined
    const types = part.map((branch) => avsc.Type.forSchema(branch as never, options as never) as AvroType)
    if (types.length !== 2 || types[0]?.typeName !== 'null')
      throw new Error(`Unions are null | x: ${JSON.stringify(part)}`)
    return nullable(types)
  }
  return avsc.Type.forSchema(schema as never, {
    typeHook: hook as never,
    omitRecordMethods: true,
    registry,
  }) as AvroType
}
