import type { EventOf } from '#schemas/events/types.ts'
import type { EventType } from '#src/events/event-types.ts'
import { currentSchema } from '#src/events/schemas.ts'

/** A value of which every record at any depth may leave fields out. */
export type Sketch<T> = T extends bigint | number | string | boolean | null | Uint8Array
  ? T
  : T extends readonly (infer E)[]
    ? readonly Sketch<E>[]
    : { readonly [K in keyof T]?: Sketch<T[K]> }

type Schema = string | readonly Schema[] | NamedSchema
interface NamedSchema {
  readonly type: string | NamedSchema
  readonly name?: string
  readonly namespace?: string
  readonly items?: Schema
  readonly fields?: readonly { readonly name: string; readonly type: Schema }[]
}

const empty: Readonly<Record<string, () => unknown>> = {
  long: () => 0n,
  int: () => 0,
  boolean: () => false,
  string: () => '',
  bytes: () => Buffer.alloc(0),
  array: () => [],
}

/** A whole event from a sketch: what is left out, also inside of bodies and records, is as in an empty message. */
export function wholeEvent<T extends EventType>(type: T, sketch: Sketch<EventOf<T>>): EventOf<T> {
  const names = new Map<string, NamedSchema>()
  return complete(currentSchema(type).schema as unknown as Schema, sketch, names, '') as EventOf<T>
}

function complete(schema: Schema, value: unknown, names: Map<string, NamedSchema>, space: string): unknown {
  if (Array.isArray(schema)) {
    const present = schema.find((branch) => branch !== 'null')
    learn(present, names, space)
    return value === undefined || value === null ? null : complete(present, value, names, space)
  }
  if (typeof schema === 'string') {
    const named = names.get(schema) ?? names.get(`${space}.${schema}`)
    return named ? complete(named, value, names, space) : (value ?? empty[schema]?.())
  }
  const { type, fields, items, namespace = space } = schema as NamedSchema
  learn(schema as Schema, names, space)
  if (type === 'array') return ((value ?? []) as unknown[]).map((item) => complete(items!, item, names, namespace))
  if (fields === undefined) return value ?? empty[type as string]?.()
  const given = (value ?? {}) as Record<string, unknown>
  const entries = fields.map((field) => [field.name, complete(field.type, given[field.name], names, namespace)])
  return Object.fromEntries(entries)
}

/** Remembers the records inside of a schema, which it names again further on, whether or not a value has them. */
function learn(schema: Schema | undefined, names: Map<string, NamedSchema>, space: string): void {
  if (schema === undefined || typeof schema === 'string') return
  if (Array.isArray(schema)) {
    for (const branch of schema) learn(branch, names, space)
    return
  }
  const { name, namespace = space, items, fields } = schema as NamedSchema
  if (items !== undefined) learn(items, names, namespace)
  if (name === undefined || fields === undefined) return
  const full = namespace === '' || name.includes('.') ? name : `${namespace}.${name}`
  if (names.has(full)) return
  names.set(full, schema as NamedSchema)
  for (const field of fields) learn(field.type, names, namespace)
}
