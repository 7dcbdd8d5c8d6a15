/** The subset of Avro's schema language that our events use. */
export type AvroSchema = string | AvroArray | AvroRecord | readonly AvroSchema[]

export interface AvroArray {
  readonly type: 'array'
  readonly items: AvroSchema
}

export interface AvroField {
  readonly name: string
  readonly doc?: string
  readonly type: AvroSchema
  readonly default?: unknown
}

export interface AvroRecord {
  readonly type: 'record'
  readonly name: string
  readonly namespace?: string
  readonly doc?: string
  readonly fields: readonly AvroField[]
}

const primitives = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'])

export function isRecord(schema: AvroSchema): schema is AvroRecord {
  return typeof schema === 'object' && 'type' in schema && schema.type === 'record'
}

export function isUnion(schema: AvroSchema): schema is readonly AvroSchema[] {
  return Array.isArray(schema)
}

export function isArray(schema: AvroSchema): schema is AvroArray {
  return typeof schema === 'object' && 'type' in schema && schema.type === 'array'
}

/** Of a full name; empty where it has none. */
export function namespaceOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0))
}

/** A name as it stands within a namespace, with that of the type it means. */
export function qualified(name: string, namespace: string | undefined): string {
  return name.includes('.') || !namespace ? name : `${namespace}.${name}`
}

/** The record's name with its namespace. */
export function fullName(record: AvroRecord, enclosing?: string): string {
  return qualified(record.name, record.namespace ?? enclosing)
}

/** Avro's "parsing canonical form": full names, no docs, no defaults, fixed order; what a fingerprint is taken of. */
export function canonicalForm(schema: AvroSchema, enclosing?: string): string {
  if (typeof schema === 'string') {
    return JSON.stringify(primitives.has(schema) ? schema : qualified(schema, enclosing))
  }
  if (isUnion(schema)) return `[${schema.map((branch) => canonicalForm(branch, enclosing)).join(',')}]`
  if (!isRecord(schema)) return `{"type":"array","items":${canonicalForm(schema.items, enclosing)}}`
  const name = fullName(schema, enclosing)
  const namespace = namespaceOf(name)
  const fields = schema.fields.map(
    (field) => `{"name":${JSON.stringify(field.name)},"type":${canonicalForm(field.type, namespace)}}`,
  )
  return `{"name":${JSON.stringify(name)},"type":"record","fields":[${fields.join(',')}]}`
}

/** CRC-64-AVRO of the canonical form as eight little-endian bytes, the way the single-object encoding carries it. */
export function fingerprint(schema: AvroSchema): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(crc64(Buffer.from(canonicalForm(schema))))
  return bytes
}

const emptyCrc = 0xc15d213aa4d7a795n

function crc64(bytes: Uint8Array): bigint {
  let crc = emptyCrc
  for (const byte of bytes) crc = (crc >> 8n) ^ crcTable[Number((crc ^ BigInt(byte)) & 0xffn)]!
  return crc
}

const crcTable: readonly bigint[] = Array.from({ length: 256 }, (_, index) => {
  let entry = BigInt(index)
  for (let bit = 0; bit < 8; bit++) entry = (entry >> 1n) ^ (entry & 1n ? emptyCrc : 0n)
  return entry
})
