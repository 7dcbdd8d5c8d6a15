import protobuf from 'protobufjs'
import { loadDescriptor } from '#src/events/descriptor.ts'
import { bytesField, numberField, varint } from '#src/events/wire-bytes.ts'

type Fields = Readonly<Record<string, unknown>>

let root: protobuf.Root | undefined

/**
 * The serialized message that an event holds decoded, by its full name: in the order of field numbers and without what has
 * its default, as every producer writes it. What the definitions do not know is lost; such transactions travel whole in `unparsed`.
 */
export function messageBytes(name: string, message: object): Buffer {
  root ??= loadDescriptor()
  return bytesOf(root.lookupType(name), message as Fields)
}

function bytesOf(type: protobuf.Type, message: Fields): Buffer {
  return Buffer.concat(inOrder(type).flatMap((field) => fieldBytes(field, message[field.name])))
}

const ordered = new WeakMap<protobuf.Type, readonly protobuf.Field[]>()

function inOrder(type: protobuf.Type): readonly protobuf.Field[] {
  const known = ordered.get(type) ?? type.fieldsArray.toSorted((a, b) => a.id - b.id)
  ordered.set(type, known)
  return known
}

function fieldBytes(field: protobuf.Field, value: unknown): Buffer[] {
  if (value === null || value === undefined) return []
  if (!field.repeated) return isLeftOut(field, value) ? [] : [singleField(field, value)]
  const items = value as readonly unknown[]
  if (items.length === 0 || !isPacked(field)) return items.map((item) => singleField(field, item))
  return [bytesField(field.id, Buffer.concat(items.map((item) => varint(integerOf(field, item)))))]
}

/** A member of a oneof is there whatever its value, and so is a message. */
function isLeftOut(field: protobuf.Field, value: unknown): boolean {
  return field.partOf === null && !(field.resolvedType instanceof protobuf.Type) && isDefault(value)
}

function isDefault(value: unknown): boolean {
  return value === 0 || value === 0n || value === false || value === '' || (isBytes(value) && value.length === 0)
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

function singleField(field: protobuf.Field, value: unknown): Buffer {
  const { id, resolvedType } = field
  if (resolvedType instanceof protobuf.Type) return bytesField(id, nestedBytes(resolvedType, value))
  if (typeof value === 'string') return bytesField(id, Buffer.from(value))
  return isBytes(value) ? bytesField(id, value) : numberField(id, integerOf(field, value))
}

/** Wrapper messages are in events as the value inside them. */
function nestedBytes(type: protobuf.Type, value: unknown): Buffer {
  const [wrapped] = type.fullName.startsWith('.google.protobuf.') ? type.fieldsArray : []
  return bytesOf(type, wrapped === undefined ? (value as Fields) : { [wrapped.name]: value })
}

/** Numbers are packed wherever there may be several. */
function isPacked({ type, resolvedType }: protobuf.Field): boolean {
  return resolvedType instanceof protobuf.Enum || type in protobuf.types.packed
}

const plainIntegers: ReadonlySet<string> = new Set(['bool', 'int32', 'int64', 'uint32', 'uint64'])
const zigzagIntegers: ReadonlySet<string> = new Set(['sint32', 'sint64'])

function integerOf(field: protobuf.Field, value: unknown): bigint {
  const integer = BigInt(value as number)
  if (field.resolvedType instanceof protobuf.Enum || plainIntegers.has(field.type)) return integer
  if (zigzagIntegers.has(field.type)) return integer >= 0n ? integer << 1n : (-integer << 1n) - 1n
  throw new Error(
    `Protobuf type ${field.type} of ${field.fullName} has no rule for its bytes; add one to message-bytes.ts`,
  )
}
