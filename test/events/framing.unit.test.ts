import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEvent, encodeEvent } from '#src/events/codec.ts'
import { eventTypes } from '#src/events/event-types.ts'
import { createConfluentFraming, singleObjectFraming } from '#src/events/framing.ts'
import { allSchemas, currentSchema } from '#src/events/schemas.ts'
import { arbitraryEvent } from './arbitrary-event.ts'

const writers = allSchemas()
const ids = new Map(writers.map(({ fingerprint }, index) => [fingerprint, 1_000 + index]))
const framing = createConfluentFraming(ids)

describe("Confluent's framing", () => {
  it.each(eventTypes)('gives a %s back as it was', (type) => {
    const { schema, fingerprint } = currentSchema(type)
    fc.assert(
      fc.property(arbitraryEvent(schema), (event) => {
        const value = encodeEvent(type, event as never)
        const back = framing.fromWire(framing.toWire(value), fingerprint)

        expect(Buffer.compare(back, value)).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it('has a zero byte and the identifier, big-endian, before the data', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.bigInt({ min: 0n, max: 2n ** 40n }), (id, count) => {
        const { fingerprint } = currentSchema('SnapshotCompleted')
        const value = encodeEvent('SnapshotCompleted', { count })
        const wire = Buffer.from(createConfluentFraming(new Map([[fingerprint, id]])).toWire(value))

        expect([wire[0], wire.readInt32BE(1)]).toEqual([0, id])
        expect(wire.subarray(5).equals(value.subarray(10))).toBe(true)
      }),
    )
  })

  it('is read without any identifier, by the fingerprint in the header alone', () => {
    const { fingerprint } = currentSchema('SnapshotCompleted')
    const wire = framing.toWire(encodeEvent('SnapshotCompleted', { count: 7n }))

    const value = singleObjectFraming.fromWire(wire, fingerprint)

    expect(decodeEvent({ type: 'SnapshotCompleted', value }).count).toBe(7n)
  })

  it('leaves a value in single-object encoding as it is, so that both may stand in one log', () => {
    const value = encodeEvent('SnapshotCompleted', { count: 7n })

    expect(framing.fromWire(value, currentSchema('SnapshotCompleted').fingerprint)).toBe(value)
  })

  it('refuses to write with a schema that has no identifier', () => {
    const value = encodeEvent('SnapshotCompleted', { count: 7n })

    expect(() => createConfluentFraming(new Map()).toWire(value)).toThrow(
      expect.objectContaining({ code: 'schema_unknown', message: expect.stringContaining('SnapshotCompleted') }),
    )
  })

  it.each([undefined, '', 'zz', '0011', '00112233445566778899', '001122334455667g'])(
    'refuses the header %j, which is no fingerprint',
    (header) => {
      const wire = framing.toWire(encodeEvent('SnapshotCompleted', {}))

      expect(() => singleObjectFraming.fromWire(wire, header)).toThrow(expect.objectContaining({ code: 'log_damaged' }))
    },
  )
})
