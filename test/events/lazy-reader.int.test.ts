import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AvroRecord } from '#src/events/avro-schema.ts'
import { createLazyEventReader, encodeEvent } from '#src/events/codec.ts'
import { currentSchema } from '#src/events/schemas.ts'
import { arbitraryEvent } from './arbitrary-event.ts'

const { schema } = currentSchema('TransactionRecorded')
const allFields = schema.fields.map(({ name }) => name)
const anyEvent = arbitraryEvent(schema)

type Reader = (value: Uint8Array) => Record<string, unknown>
const readerOf = (fields: readonly string[]): Reader =>
  createLazyEventReader('TransactionRecorded', fields as never[]) as unknown as Reader

const recordFields = schema.fields
  .filter(({ name }) => name === 'record')
  .flatMap(({ type }) => (type as readonly AvroRecord[])[1]!.fields)

function read(reader: Reader, value: Uint8Array, fields: readonly string[]): Record<string, unknown> {
  const event = reader(value)
  return Object.fromEntries(
    fields.map((name) => {
      const item = event[name]
      return [name, name === 'record' && item ? recordOf(item as Record<string, unknown>) : item]
    }),
  )
}

/** The transaction's record is read bit by bit as well. */
function recordOf(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(recordFields.map(({ name }) => [name, record[name]]))
}

describe('a lazy reader of transactions', () => {
  it('gives every field as it was encoded, in whatever order it is asked for', () => {
    const reader = readerOf(allFields)
    fc.assert(
      fc.property(anyEvent, fc.shuffledSubarray(allFields), (event, asked) => {
        const value = encodeEvent('TransactionRecorded', event as never)
        const expected = Object.fromEntries(asked.map((name) => [name, event[name]]))

        expect(read(reader, value, asked)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('gives the fields that it was made for, whichever these are', () => {
    fc.assert(
      fc.property(anyEvent, fc.subarray(allFields, { minLength: 1 }), (event, fields) => {
        const value = encodeEvent('TransactionRecorded', event as never)
        const expected = Object.fromEntries(fields.map((name) => [name, event[name]]))

        expect(read(readerOf(fields), value, fields)).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('keeps events apart whose fields are asked for in turn', () => {
    const reader = readerOf(['transfers', 'record'])
    const [first, second] = [1n, 2n].map((amount) =>
      reader(
        encodeEvent('TransactionRecorded', { transfers: [{ accountId: 3n, amount, isApproval: false, errata: null }] }),
      ),
    )

    expect(second?.['transfers']).toMatchObject([{ amount: 2n }])
    expect(first?.['transfers']).toMatchObject([{ amount: 1n }])
    expect(first?.['record']).toBeNull()
  })

  it('passes over and reads lists whose blocks say their size in bytes', () => {
    const transfers = [1n, 2n].map((amount) => ({ accountId: 3n, amount, isApproval: false, errata: null }))
    const value = encodeEvent('TransactionRecorded', { transfers, transactionBytes: Buffer.from('signed') })
    // Two entries of an account, an amount, a flag and a null: four bytes each.
    const entries = Buffer.from([6, 2, 0, 0, 6, 4, 0, 0])
    const at = value.indexOf(Buffer.concat([Buffer.from([4]), entries, Buffer.from([0])]))
    expect(at).toBeGreaterThan(0)
    const sized = Buffer.concat([value.subarray(0, at), Buffer.from([3, 16]), value.subarray(at + 1)])

    const fields = ['transfers', 'transactionBytes']
    expect(read(readerOf(fields), sized, fields)).toEqual({ transfers, transactionBytes: Buffer.from('signed') })
  })

  it('refuses data that ends too early, where that is asked for', () => {
    const value = encodeEvent('TransactionRecorded', {
      transfers: [{ accountId: 3n, amount: 5n, isApproval: false, errata: null }],
      memo: Buffer.alloc(100),
    })
    const reader = readerOf(allFields)

    for (let length = 10; length < value.length; length++)
      expect(() => read(reader, value.subarray(0, length), allFields), `the first ${length} bytes`).toThrow(RangeError)
  })

  it('refuses an optional field that begins with neither null nor a value', () => {
    const value = encodeEvent('TransactionRecorded', {})
    const reader = readerOf(['parentConsensusTimestamp'])
    // Ten bytes of framing, three longs, an int and a flag come before it.
    const wrong = Buffer.from(value)
    wrong[15] = 9

    expect(() => reader(wrong)).toThrow(/byte 9/)
  })
})
