import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AvroRecord, type AvroSchema, isRecord, isUnion } from '#src/events/avro-schema.ts'
import { eventTypes } from '#src/events/event-types.ts'
import { generateFiles } from '../../scripts/generate/outputs.ts'

const repository = join(import.meta.dirname, '../..')
const readSchema = (type: string) =>
  JSON.parse(readFileSync(join(repository, `schemas/events/${type}.avsc`), 'utf8')) as AvroRecord

describe('generated files', () => {
  const files = generateFiles(repository)

  it.each([...files.keys()])('%s is what generating again gives', (path) => {
    expect(readFileSync(join(repository, path), 'utf8')).toBe(files.get(path))
  })
})

describe('event schemas', () => {
  it.each(eventTypes)('%s documents every field and gives it a default', (type) => {
    const bare = allFields(readSchema(type)).filter((field) => !field.doc || field.default === undefined)

    expect(bare.map((field) => field.name)).toEqual([])
  })

  it('describe an optional value as a union of null and the value, with default null', () => {
    const unions = allFields(readSchema('TransactionRecorded')).filter((field) => isUnion(field.type))

    expect(unions.length).toBeGreaterThan(100)
    for (const { type, default: value } of unions) {
      expect(isUnion(type) && [type.length, type[0]]).toEqual([2, 'null'])
      expect(value).toBeNull()
    }
  })

  it('have a field for every transaction type that has a name', async () => {
    const { transactionTypeNames } = await import('#src/domain/transaction-types.ts')
    const { bodyTypes } = await import('#src/events/decode/messages.ts')
    const fields = new Set(readSchema('TransactionRecorded').fields.map((field) => field.name))

    const types = [...bodyTypes()].filter(([name]) => fields.has(name)).map(([, type]) => type)

    expect(types).toEqual(expect.arrayContaining(Object.keys(transactionTypeNames).map(Number)))
  })
})

function allFields(schema: AvroSchema): AvroRecord['fields'][number][] {
  if (typeof schema === 'string') return []
  if (isUnion(schema)) return schema.flatMap(allFields)
  if (!isRecord(schema)) return allFields(schema.items)
  return schema.fields.flatMap((field) => [field, ...allFields(field.type)])
}
