import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AvroField, type AvroRecord, fingerprint } from '#src/events/avro-schema.ts'
import { compileType } from '#src/events/avro-types.ts'
import { eventTypes } from '#src/events/event-types.ts'

const folder = join(import.meta.dirname, '../../schemas/events')
const released = readdirSync(join(folder, 'released'), { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.avsc'),
)
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as AvroRecord

/** Why one of two schemas cannot read what the other wrote; undefined when each reads the other. */
function incompatibility(a: AvroRecord, b: AvroRecord): string | undefined {
  try {
    compileType(a).createResolver(compileType(b))
    compileType(b).createResolver(compileType(a))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('event schemas', () => {
  it.each(released)('are fully compatible with release %s', (path) => {
    const old = read(join('released', path))

    expect(incompatibility(read(`${old.name}.avsc`), old)).toBeUndefined()
  })

  it.each(released)('keep every field of release %s', (path) => {
    const old = read(join('released', path))
    const names = read(`${old.name}.avsc`).fields.map((field) => field.name)

    expect(names).toEqual(expect.arrayContaining(old.fields.map((field) => field.name)))
  })

  it('are all part of a release, so that whatever was written stays readable', () => {
    const known = new Set(released.map((path) => fingerprint(read(join('released', path))).toString('hex')))

    const missing = eventTypes.filter((type) => !known.has(fingerprint(read(`${type}.avsc`)).toString('hex')))

    expect(missing, 'run "npm run generate -- --release <next number>"').toEqual([])
  })
})

describe('the compatibility check', () => {
  const current = read('BlockRecorded.avsc')
  const withField = (field: AvroField): AvroRecord => ({ ...current, fields: [...current.fields, field] })
  const withType = (name: string, type: string): AvroRecord => ({
    ...current,
    fields: current.fields.map((field) => (field.name === name ? { ...field, type } : field)),
  })

  it('accepts a new field with a default', () => {
    expect(
      incompatibility(withField({ name: 'extra', type: ['null', 'long'], default: null }), current),
    ).toBeUndefined()
  })

  it('refuses a new field without a default', () => {
    expect(incompatibility(withField({ name: 'extra', type: 'long' }), current)).toMatch(/extra/)
  })

  it('refuses another type', () => {
    expect(incompatibility(withType('hash', 'long'), current)).toMatch(/cannot read/)
  })

  it('refuses a type that only new readers could widen', () => {
    expect(incompatibility(withType('version', 'long'), current)).toMatch(/cannot read/)
  })
})
