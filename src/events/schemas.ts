import { readFileSync } from 'node:fs'
import { LedgerError } from '#src/domain/errors.ts'
import { type AvroRecord, type AvroSchema, fingerprint, fullName, isRecord, isUnion } from '#src/events/avro-schema.ts'
import { type AvroType, compileType, type TypeRegistry } from '#src/events/avro-types.ts'
import { type EventType, eventTypes, type TopicName, typesOn } from '#src/events/event-types.ts'

/** A schema that events were, or are, written with. */
export interface WriterSchema {
  readonly eventType: EventType
  /** Eight bytes as in the single-object encoding, in hex. */
  readonly fingerprint: string
  readonly schema: AvroRecord
  readonly type: AvroType
  /** Every named type inside, by full name. */
  readonly registry: TypeRegistry
}

const folder = new URL('../../schemas/events/', import.meta.url)
const current = new Map<EventType, WriterSchema>()
const known = new Map<string, WriterSchema>()
let released: Readonly<Record<string, { type: string; path: string }>> | undefined

/** The schema that events of this type are written with now. */
export function currentSchema(eventType: EventType): WriterSchema {
  let writer = current.get(eventType)
  if (!writer) {
    writer = loadSchema(`${eventType}.avsc`)
    current.set(eventType, writer)
    known.set(writer.fingerprint, writer)
  }
  return writer
}

/** The schema with this fingerprint (hex), current or of any release; `schema_unknown` when this version has none. */
export function schemaByFingerprint(hex: string): WriterSchema {
  const writer = known.get(hex) ?? loadReleased(hex) ?? currentByFingerprint(hex)
  if (!writer) {
    const message = `No event schema has the fingerprint ${hex}; it was written by a newer version, so update this one`
    throw new LedgerError('schema_unknown', message, { fingerprint: hex })
  }
  known.set(hex, writer)
  return writer
}

/** Every schema that events may have been written with; of one type the released ones first, oldest first. */
export function allSchemas(): readonly WriterSchema[] {
  const currents = eventTypes.map(currentSchema)
  const older = Object.keys(readIndex())
    .map(schemaByFingerprint)
    .filter(({ fingerprint }) => currents.every((writer) => writer.fingerprint !== fingerprint))
  return [...older, ...currents]
}

/** Those of them that events on a topic may have been written with. */
export function schemasOn(topic: TopicName): readonly WriterSchema[] {
  const types = typesOn(topic)
  return allSchemas().filter(({ eventType }) => types.includes(eventType))
}

function readIndex(): NonNullable<typeof released> {
  released ??= JSON.parse(readFileSync(new URL('released/index.json', folder), 'utf8')) as NonNullable<typeof released>
  return released
}

function loadReleased(hex: string): WriterSchema | undefined {
  const entry = readIndex()[hex]
  if (!entry) return undefined
  const writer = currentSchema(entry.type as EventType)
  return writer.fingerprint === hex ? writer : loadSchema(`released/${entry.path}`)
}

function currentByFingerprint(hex: string): WriterSchema | undefined {
  return eventTypes.map(currentSchema).find((writer) => writer.fingerprint === hex)
}

function loadSchema(path: string): WriterSchema {
  return compileSchema(JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as AvroRecord)
}

export function compileSchema(schema: AvroRecord): WriterSchema {
  const registry: TypeRegistry = {}
  const type = compileType(schema, registry)
  return {
    eventType: schema.name as EventType,
    fingerprint: fingerprint(schema).toString('hex'),
    schema,
    type,
    registry,
  }
}

/** A type that reads only some fields of an event; it shares all named types with the full one. */
export function compileFields(writer: WriterSchema, fields: readonly string[]): AvroType {
  const { schema } = writer
  const missing = fields.filter((name) => !schema.fields.some((field) => field.name === name))
  if (missing.length > 0) throw new Error(`${schema.name} has no field ${missing.join(', ')}`)
  const { [fullName(schema)]: _whole, ...registry } = writer.registry
  const picked = schema.fields.filter((field) => fields.includes(field.name))
  const references = picked.map((field) => ({ ...field, type: referenceNames(field.type, schema.namespace) }))
  return compileType({ ...schema, fields: references }, registry)
}

/** The schema with the name instead of the definition of each record. */
function referenceNames(schema: AvroSchema, namespace: string | undefined): AvroSchema {
  if (typeof schema === 'string') return schema
  if (isUnion(schema)) return schema.map((branch) => referenceNames(branch, namespace))
  if (isRecord(schema)) return fullName(schema, namespace)
  return { type: 'array', items: referenceNames(schema.items, namespace) }
}
