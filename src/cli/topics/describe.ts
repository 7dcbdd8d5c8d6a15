import { recordHeaders } from '#src/adapters/kafka/records.ts'
import type { AvroField, AvroRecord, AvroSchema } from '#src/events/avro-schema.ts'
import { isRecord, isUnion } from '#src/events/avro-schema.ts'
import { type EventType, type TopicName, typesOn } from '#src/events/event-types.ts'
import { currentSchema } from '#src/events/schemas.ts'
import { eventKeys, messageTime } from '#src/events/topic-contract.ts'

export interface FieldDescription {
  /** With the fields around it: `transfers.accountId`. */
  readonly name: string
  readonly type: string
  readonly doc: string
}

export interface TypeDescription {
  readonly type: EventType
  readonly doc: string
  readonly fingerprint: string
  readonly key: string
  readonly fields: readonly FieldDescription[]
}

/** What every subscriber has to know of the topic itself. `name`: as it is called here. */
export function describeTopic(topic: TopicName, name: string): object {
  return {
    topic: name,
    time: messageTime,
    headers: recordHeaders,
    types: typesOn(topic).map((type) => ({ type, doc: currentSchema(type).schema.doc ?? '', key: eventKeys[type] })),
  }
}

export function describeType(type: EventType): TypeDescription {
  const { schema, fingerprint } = currentSchema(type)
  return { type, doc: schema.doc ?? '', fingerprint, key: eventKeys[type], fields: describeFields(schema, '') }
}

/** The fields of a record and of the records that stand in its lists; bodies keep to their name, they have thousands. */
function describeFields({ fields }: AvroRecord, prefix: string): FieldDescription[] {
  return fields.flatMap((field) => {
    const inner = prefix === '' ? listedRecord(field) : undefined
    const own = { name: `${prefix}${field.name}`, type: typeName(field.type), doc: field.doc ?? '' }
    return inner === undefined ? [own] : [own, ...describeFields(inner, `${field.name}.`)]
  })
}

function listedRecord({ type }: AvroField): AvroRecord | undefined {
  if (typeof type === 'string' || isUnion(type) || isRecord(type)) return undefined
  return isRecord(type.items) ? type.items : undefined
}

function typeName(schema: AvroSchema): string {
  if (typeof schema === 'string') return schema.split('.').at(-1)!
  if (isUnion(schema)) return `${typeName(schema[1] ?? 'null')} or null`
  return isRecord(schema) ? schema.name : `list of ${typeName(schema.items)}`
}

export function formatTopic(topic: TopicName, name: string): string {
  const types = typesOn(topic)
  const width = Math.max(...[...types, ...Object.keys(recordHeaders)].map((text) => text.length))
  return [
    name,
    '',
    `Message time: ${messageTime}`,
    '',
    'Headers:',
    ...Object.entries(recordHeaders).map(([name, doc]) => `  ${name.padEnd(width)}  ${doc}`),
    '',
    'Events and their keys:',
    ...types.map((type) => `  ${type.padEnd(width)}  ${eventKeys[type]}`),
    '',
    `Fields of one: ledger-history topics describe ${topic === 'transactions' ? 'TransactionRecorded' : types[0]}`,
  ].join('\n')
}

export function formatType({ type, doc, fingerprint, key, fields }: TypeDescription): string {
  const nameWidth = Math.max(...fields.map((field) => field.name.length))
  const typeWidth = Math.max(...fields.map((field) => field.type.length))
  return [
    type,
    '',
    doc,
    '',
    `Key: ${key}`,
    `Fingerprint of the schema: ${fingerprint}`,
    '',
    ...fields.map((field) => `  ${field.name.padEnd(nameWidth)}  ${field.type.padEnd(typeWidth)}  ${field.doc}`),
  ].join('\n')
}
