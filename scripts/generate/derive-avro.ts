import protobuf from 'protobufjs'
import type { AvroField, AvroRecord, AvroSchema } from '#src/events/avro-schema.ts'

/** Fields of protobuf messages that a derived record leaves out, because the head of the event carries them. */
export type Omitted = Readonly<Record<string, readonly string[]>>

const wrapperPackage = '.google.protobuf.'

const scalars: Readonly<Record<string, { type: string; default: unknown; unit?: string }>> = {
  bool: { type: 'boolean', default: false },
  bytes: { type: 'bytes', default: '' },
  int32: { type: 'int', default: 0 },
  sint32: { type: 'int', default: 0 },
  uint32: { type: 'long', default: 0 },
  int64: { type: 'long', default: 0 },
  sint64: { type: 'long', default: 0 },
  uint64: { type: 'long', default: 0, unit: "unsigned 64 bits, above 2^63-1 as the negative two's complement" },
  float: { type: 'float', default: 0 },
  double: { type: 'double', default: 0 },
  string: { type: 'string', default: '' },
}

/**
 * Derives Avro records from protobuf messages: the same field names in camel case, sub-messages and members of a oneof as
 * `null | x`, wrapper messages as `null | scalar`, enums as their number. A record is spelled out where it first occurs
 * and named afterwards, so one deriver serves one schema file.
 */
export class AvroDeriver {
  readonly #namespace: string
  readonly #omitted: Omitted
  readonly #defined = new Set<string>()

  constructor(namespace: string, omitted: Omitted) {
    this.#namespace = namespace
    this.#omitted = omitted
  }

  /** The record of a message, or its full name when this deriver has defined it before. */
  record(message: protobuf.Type): AvroRecord | string {
    const namespace = this.#namespaceOf(message)
    const name = avroName(message)
    const full = `${namespace}.${name}`
    if (this.#defined.has(full)) return full
    this.#defined.add(full)
    const omitted = this.#omitted[plainName(message)] ?? []
    const fields = message.fieldsArray.filter((field) => !omitted.includes(field.name)).sort((a, b) => a.id - b.id)
    return {
      type: 'record',
      name,
      namespace,
      doc: omitted.length > 0 ? `${plainName(message)} without: ${omitted.join(', ')}` : plainName(message),
      fields: fields.map((field) => this.field(field)),
    }
  }

  field(field: protobuf.Field): AvroField {
    if (field.map) throw new Error(`Map field ${field.fullName} has no rule for Avro; add one to derive-avro.ts`)
    const doc = `${plainName(field)}${this.#unitOf(field)}`
    const value = this.#valueOf(field)
    if (field.repeated) return { name: field.name, doc, type: { type: 'array', items: value.type }, default: [] }
    if (value.default === null || isOptional(field))
      return { name: field.name, doc, type: ['null', value.type], default: null }
    return { name: field.name, doc, type: value.type, default: value.default }
  }

  /** A message without a default of its own has the default null: it is optional. */
  #valueOf(field: protobuf.Field): { type: AvroSchema; default: unknown } {
    const resolved = field.resolvedType
    if (resolved instanceof protobuf.Enum) return scalars['int32']!
    if (!resolved) return scalarOf(field)
    if (resolved.fullName.startsWith(wrapperPackage))
      return { type: scalarOf(resolved.fieldsArray[0]!).type, default: null }
    return { type: this.record(resolved), default: null }
  }

  #unitOf(field: protobuf.Field): string {
    if (field.resolvedType instanceof protobuf.Enum)
      return `; number of enum ${plainName(field.resolvedType)}, unknown ones too`
    const unit = scalars[field.type]?.unit
    return unit ? `; ${unit}` : ''
  }

  /** The protobuf package below ours: a message that exists under one name in two packages stays two records. */
  #namespaceOf(message: protobuf.Type): string {
    let parent = message.parent
    while (parent instanceof protobuf.Type) parent = parent.parent
    const segments = (parent?.fullName ?? '').split('.').filter((segment) => segment !== '')
    const short = segments.join('.').replace(/^com\.hedera\.hapi\b/, 'hapi')
    return `${this.#namespace}.${short}`
  }
}

function scalarOf(field: protobuf.Field): { type: string; default: unknown } {
  const scalar = scalars[field.type]
  if (!scalar)
    throw new Error(`Protobuf type ${field.type} of ${field.fullName} has no rule for Avro; add one to derive-avro.ts`)
  return scalar
}

function isOptional(field: protobuf.Field): boolean {
  return field.partOf !== null
}

/** Nested messages are named with the message around them. */
function avroName(message: protobuf.Type): string {
  return message.parent instanceof protobuf.Type ? `${avroName(message.parent)}${message.name}` : message.name
}

/** The full name without the leading dot and the package `proto`, which says nothing. */
export function plainName(object: protobuf.ReflectionObject): string {
  return object.fullName.replace(/^\.(proto\.)?/, '')
}
