import avsc from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalForm, fingerprint } from '#src/events/avro-schema.ts'
import { createEventReader, decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { type EventType, eventTypes } from '#src/events/event-types.ts'
import { currentSchema } from '#src/events/schemas.ts'
import { examples } from '../../scripts/generate/examples.ts'
import { arbitraryEvent } from './arbitrary-event.ts'

describe('encoding and decoding', () => {
  it.each(eventTypes)('gives back any %s', (type) => {
    fc.assert(
      fc.property(arbitraryEvent(currentSchema(type).schema), (event) => {
        expect(decodeEvent({ type, value: encodeEvent(type, event as never) })).toEqual(event)
      }),
      { numRuns: type === 'TransactionRecorded' ? 300 : 200 },
    )
  })

  it('keeps the limits of 64 bits exactly', () => {
    for (const number of [-(2n ** 63n), 2n ** 63n - 1n, -1n, 0n, 63n, 64n, -64n, -65n, 2n ** 53n + 1n]) {
      const value = encodeEvent('SnapshotCompleted', { count: number })
      expect(decodeEvent({ type: 'SnapshotCompleted', value }).count).toBe(number)
    }
  })

  it('writes bytes that any Avro reader understands', () => {
    const value = encodeEvent('BlockNumbersShifted', { shift: -300n, throughNumber: 2n ** 40n, name: 'x' })
    const plain = avsc.Type.forSchema(currentSchema('BlockNumbersShifted').schema as never)

    expect(plain.fromBuffer(value.subarray(10))).toMatchObject({ shift: -300, throughNumber: 2 ** 40, name: 'x' })
  })

  it('gives fields left out their default', () => {
    const event = decodeEvent({ type: 'TransactionRecorded', value: encodeEvent('TransactionRecorded', { nonce: 3 }) })

    expect(event).toMatchObject({ nonce: 3, consensusTimestamp: 0n, transfers: [], memo: null, cryptoTransfer: null })
  })

  it.each(eventTypes)('takes the example of %s in the catalogue', (type) => {
    const example = examples[type] as object

    expect(decodeEvent({ type: type as EventType, value: encodeEvent(type, example) })).toMatchObject(example)
  })

  it('encodes an event larger than any before', () => {
    const contents = Buffer.alloc(1_000_000, 7)

    const value = encodeEvent('AddressBookSnapshotted', { contents })

    expect(decodeEvent({ type: 'AddressBookSnapshotted', value }).contents.equals(contents)).toBe(true)
  })

  it.each([
    ['an integer beyond 64 bits', { count: 2n ** 63n }],
    ['a number for a long', { count: 1 as never }],
  ])('refuses %s', (_what, event) => {
    expect(() => encodeEvent('SnapshotCompleted', event)).toThrow(/long/)
  })
})

describe('a reader of some fields', () => {
  it('gives these fields and nothing else, however the event goes on', () => {
    fc.assert(
      fc.property(arbitraryEvent(currentSchema('TransactionRecorded').schema), (event) => {
        const value = encodeEvent('TransactionRecorded', event as never)
        const { consensusTimestamp, transfers, result } = event

        expect({ ...readSome(value) }).toEqual({ consensusTimestamp, result, transfers })
      }),
      { numRuns: 40 },
    )
  })
  const readSome = createEventReader('TransactionRecorded', ['consensusTimestamp', 'result', 'transfers'])

  it('does not look at what comes after its last field', () => {
    const value = encodeEvent('TransactionRecorded', { consensusTimestamp: 5n, result: 22, memo: Buffer.from('a') })
    const cut = value.subarray(0, value.length - 60)

    expect(readSome(cut)).toMatchObject({ consensusTimestamp: 5n, result: 22 })
    expect(() => decodeEvent({ type: 'TransactionRecorded', value: cut })).toThrow(/truncated/)
  })

  it('reads fields from the end of the event', () => {
    const read = createEventReader('TransactionRecorded', ['cryptoTransfer', 'successful'])
    const { cryptoTransfer = null } = examples.TransactionRecorded

    const value = encodeEvent('TransactionRecorded', examples.TransactionRecorded)

    expect({ ...read(value) }).toEqual({ successful: true, cryptoTransfer })
  })

  it('refuses a field that the event does not have', () => {
    const read = createEventReader('BlockRecorded', ['colour' as never])

    expect(() => read(encodeEvent('BlockRecorded', examples.BlockRecorded))).toThrow(
      /BlockRecorded has no field colour/,
    )
  })
})

describe('framing', () => {
  it('begins with C3 01 and the little-endian fingerprint', () => {
    const value = encodeEvent('SnapshotCompleted', { count: 1n })

    expect(value.toString('hex')).toBe(`c301${currentSchema('SnapshotCompleted').fingerprint}02`)
  })

  it('takes the fingerprint as Avro defines it', () => {
    expect(fingerprint('int').readBigUInt64LE()).toBe(0x7275d51a3f395c8fn)
    const { schema, type } = currentSchema('TransactionRecorded')
    expect(canonicalForm(schema)).toBe(JSON.stringify(type.schema()))
  })

  it.each([
    ['nothing', Buffer.alloc(0), /no event in Avro single-object encoding/],
    ['other bytes', Buffer.from('{"a":1,"b":2}'), /7b2261223a312c226222/],
    ['an unknown schema', Buffer.from('c3010102030405060708', 'hex'), /fingerprint 0102030405060708.*update/],
  ])('refuses %s, saying what to do', (_what, value, message) => {
    const decode = () => decodeEvent({ type: 'SnapshotCompleted', value })

    expect(decode).toThrow(expect.objectContaining({ code: 'schema_unknown' }))
    expect(decode).toThrow(message)
  })

  it('does not take one event for another', () => {
    const value = encodeEvent('SnapshotCompleted', { count: 1n })

    expect(() => decodeEvent({ type: 'SnapshotStarted', value })).toThrow(
      'The value is a SnapshotCompleted, not a SnapshotStarted',
    )
  })
})
