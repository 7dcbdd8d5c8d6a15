import { type EntityId, entityIdOf } from '#src/domain/entity-id.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import {
  type AvroField,
  type AvroRecord,
  type AvroSchema,
  fullName,
  isRecord,
  isUnion,
  namespaceOf,
  qualified,
} from '#src/events/avro-schema.ts'
import type { EventType } from '#src/events/event-types.ts'
import { currentSchema } from '#src/events/schemas.ts'

/** What a value means beyond its Avro type; the documentation of its field says so. */
export type Meaning = 'id' | 'time' | 'text' | 'plain'

/**
 * The shape of a value. `entity` and `instant` are records of the ledger's protobuf definitions that stand for one value:
 * the parts of an id, the seconds and nanoseconds of a time.
 */
export type Shape =
  | { readonly kind: 'leaf'; readonly meaning: Meaning }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: 'entity'; readonly number: string; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: 'instant'; readonly fields: ReadonlyMap<string, Shape> }

export type RecordValue = Readonly<Record<string, unknown>>

const shapes = new Map<EventType, Shape>()

/** The shape of an event of the current schema. */
export function shapeOf(type: EventType): Shape {
  let shape = shapes.get(type)
  if (!shape) {
    shape = buildShape(currentSchema(type).schema, undefined, '', new Map())
    shapes.set(type, shape)
  }
  return shape
}

/** `named` has the records met so far: a schema refers to them by name, also from within. */
function buildShape(schema: AvroSchema, namespace: string | undefined, doc: string, named: Map<string, Shape>): Shape {
  if (isUnion(schema)) return buildShape(schema[1] ?? 'null', namespace, doc, named)
  if (typeof schema === 'string') {
    return named.get(qualified(schema, namespace)) ?? { kind: 'leaf', meaning: meaningOf(schema, doc) }
  }
  if (!isRecord(schema)) return { kind: 'list', item: buildShape(schema.items, namespace, doc, named) }
  return buildRecord(schema, fullName(schema, namespace), named)
}

function buildRecord({ fields }: AvroRecord, name: string, named: Map<string, Shape>): Shape {
  const shapes = new Map<string, Shape>()
  const shape: Shape = { ...kindOf(fields), fields: shapes }
  named.set(name, shape)
  const namespace = namespaceOf(name)
  for (const field of fields) shapes.set(field.name, buildShape(field.type, namespace, field.doc ?? '', named))
  return shape
}

function kindOf(fields: readonly AvroField[]) {
  const names = fields.map((field) => field.name)
  if (names.length === 2 && names[0] === 'seconds' && names[1] === 'nanos') return { kind: 'instant' } as const
  const [shard, realm, number = ''] = names
  if (shard === 'shardNum' && realm === 'realmNum' && number.endsWith('Num')) return { kind: 'entity', number } as const
  return { kind: 'record' } as const
}

function meaningOf(type: string, doc: string): Meaning {
  if (type === 'long' && /^Entity ids?\b/.test(doc)) return 'id'
  if (type === 'long' && doc.startsWith('ns;')) return 'time'
  return type === 'string' || (type === 'bytes' && doc.startsWith('UTF-8')) ? 'text' : 'plain'
}

/** The id that a record of the protobuf definitions stands for; undefined where it names the entity otherwise. */
export function entityOf(value: RecordValue, number: string): EntityId | undefined {
  const { shardNum, realmNum, [number]: num } = value
  return typeof num === 'bigint' ? entityIdOf(shardNum as bigint, realmNum as bigint, num) : undefined
}

export function instantOf({ seconds, nanos }: RecordValue): bigint {
  return (seconds as bigint) * nanosPerSecond + BigInt(nanos as number)
}
