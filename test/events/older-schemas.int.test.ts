import { describe, expect, it, vi } from 'vitest'
import type { AvroRecord } from '#src/events/avro-schema.ts'
import { createEventReader, decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { compileSchema, currentSchema, type WriterSchema } from '#src/events/schemas.ts'

const others = vi.hoisted(() => new Map<string, WriterSchema>())

vi.mock('#src/events/schemas.ts', async (original) => {
  const actual = await original<typeof import('#src/events/schemas.ts')>()
  const schemaByFingerprint = (hex: string) => others.get(hex) ?? actual.schemaByFingerprint(hex)
  return { ...actual, schemaByFingerprint }
})

const { schema } = currentSchema('TransactionRecorded')

/** Encodes with another schema, as a producer of another version would, and makes that schema known. */
function encodeWith(other: AvroRecord, event: object): Buffer {
  const writer = compileSchema(other)
  others.set(writer.fingerprint, writer)
  return Buffer.concat([Buffer.from(`c301${writer.fingerprint}`, 'hex'), writer.type.toBuffer(event)])
}

describe('events of another version', () => {
  const older: AvroRecord = {
    ...schema,
    fields: schema.fields.filter(({ name }) => name !== 'result' && name !== 'atomicBatch'),
  }
  const newer: AvroRecord = {
    ...schema,
    fields: [
      { name: 'before', type: 'string', default: '' },
      ...schema.fields,
      { name: 'after', type: ['null', 'long'], default: null },
    ],
  }
  const event = {
    consensusTimestamp: 2n ** 62n + 1n,
    transfers: [{ accountId: 1n, amount: -2n, isApproval: true, errata: null }],
  }

  it.each([
    ['older', older],
    ['newer', newer],
  ])('are read whole from an %s one', (_age, other) => {
    const value = encodeWith(other, { ...event, before: 'x', after: 5n })
    const expected = decodeEvent({ type: 'TransactionRecorded', value: encodeEvent('TransactionRecorded', event) })

    expect(decodeEvent({ type: 'TransactionRecorded', value })).toEqual(expected)
  })

  it.each([
    ['older', older],
    ['newer', newer],
  ])('are read in part from an %s one', (_age, other) => {
    const read = createEventReader('TransactionRecorded', ['consensusTimestamp', 'result', 'transfers'])

    expect({ ...read(encodeWith(other, { ...event, before: 'x' })) }).toEqual({ ...event, result: 0 })
  })
})
