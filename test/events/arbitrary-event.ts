import fc from 'fast-check'
import {
  type AvroRecord,
  type AvroSchema,
  fullName,
  isRecord,
  isUnion,
  namespaceOf,
  qualified,
} from '#src/events/avro-schema.ts'

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 2n ** 31n, -(2n ** 31n) - 1n, 2n ** 53n + 1n),
)

const primitives: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  int: fc.integer(),
  long: int64,
  float: fc.float({ noDefaultInfinity: true, noNaN: true }),
  double: fc.double({ noDefaultInfinity: true, noNaN: true }),
  bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  string: fc.string({ unit: 'binary', maxLength: 20 }),
}

/** Any event that fits the schema. Optional fields are mostly absent, as in life, and nesting is bounded. */
export function arbitraryEvent(schema: AvroRecord): fc.Arbitrary<Record<string, unknown>> {
  const records = new Map<string, AvroRecord>()
  collect(schema, undefined, records)
  const { [fullName(schema)]: event } = fc.letrec((tie) => {
    const of = (part: AvroSchema, namespace: string | undefined): fc.Arbitrary<unknown> => {
      if (typeof part === 'string') return primitives[part] ?? tie(qualified(part, namespace))
      if (isUnion(part)) return optional(of(part[1]!, namespace))
      if (isRecord(part)) return tie(fullName(part, namespace))
      return fc.array(of(part.items, namespace), { maxLength: 3, depthIdentifier: 'event' })
    }
    return Object.fromEntries(
      [...records].map(([name, record]) => {
        const namespace = namespaceOf(name)
        return [
          name,
          fc.record(Object.fromEntries(record.fields.map((field) => [field.name, of(field.type, namespace)]))),
        ]
      }),
    )
  })
  return event as fc.Arbitrary<Record<string, unknown>>
}

function optional(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { maxDepth: 4, depthIdentifier: 'event' },
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: value },
  )
}

function collect(schema: AvroSchema, namespace: string | undefined, records: Map<string, AvroRecord>): void {
  if (typeof schema === 'string') return
  if (isUnion(schema)) {
    for (const branch of schema) collect(branch, namespace, records)
  } else if (isRecord(schema)) {
    const name = fullName(schema, namespace)
    records.set(name, schema)
    for (const field of schema.fields) collect(field.type, namespaceOf(name), records)
  } else collect(schema.items, namespace, records)
}
