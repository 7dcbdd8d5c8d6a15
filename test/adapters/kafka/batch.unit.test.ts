import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AbortedTransaction, BatchDamaged, decodeBatches, endOffsetOf } from '#src/adapters/kafka/batch-reader.ts'
import { BatchWriter, recordBytesMax, type WireHeader, type WireRecord } from '#src/adapters/kafka/batch-writer.ts'
import { crc32c } from '#src/adapters/kafka/crc32c.ts'
import { headerOf } from '#src/adapters/kafka/fetched-record.ts'
import { compressions } from '#src/adapters/kafka/options.ts'

const producer = { producerId: 7n, producerEpoch: 3, firstSequence: 0, compression: 'none' } as const
const control = 0x20

function record(number: number, overrides: Partial<WireRecord> = {}): WireRecord {
  return {
    key: Buffer.from(`key-${number}`),
    value: Buffer.from(`value ${number}`),
    timeMs: 1_700_000_000_000 + number,
    headers: [['sequence', String(number)]],
    ...overrides,
  }
}

/** A batch as the broker keeps it: the same bytes with the offset that it was given. */
function batchAt(offset: number, records: readonly WireRecord[], producerId = 7n): Buffer {
  const writer = new BatchWriter(100)
  for (const each of records) writer.add(each)
  const batch = writer.finish({ ...producer, producerId })
  batch.writeBigInt64BE(BigInt(offset), 0)
  return batch
}

function markerAt(offset: number, producerId = 7n): Buffer {
  const batch = batchAt(offset, [record(0, { key: Buffer.from([0, 0, 0, 0]) })], producerId)
  batch.writeInt16BE(batch.readInt16BE(21) | control, 21)
  batch.writeUInt32BE(crc32c(batch.subarray(21)), 17)
  return batch
}

/** All batches of an answer together. */
function decodeAll(data: Buffer, fromOffset = 0, aborted: readonly AbortedTransaction[] = []) {
  const batches = [...decodeBatches(data, fromOffset, aborted)]
  const nextOffset = endOffsetOf(data, fromOffset)
  expect(batches.at(-1)?.nextOffset ?? fromOffset).toBe(nextOffset)
  return { records: batches.flatMap(({ records }) => records), nextOffset }
}

describe('record batches', () => {
  it('have the Castagnoli checksum', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
    expect(crc32c(Buffer.alloc(0))).toBe(0)
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43)
  })

  it('give back what was written, in every compression', () => {
    const header = fc.tuple(fc.stringMatching(/^[a-z-]{1,20}$/), fc.string({ unit: 'grapheme' }))
    const wire = fc.record({
      key: fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      value: fc.uint8Array({ maxLength: 3_000 }),
      timeMs: fc.integer({ min: 0, max: 9_223_372_036_854 }),
      headers: fc.uniqueArray(header as fc.Arbitrary<WireHeader>, { selector: ([name]) => name, maxLength: 8 }),
    })
    fc.assert(
      fc.property(
        fc.array(wire, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...compressions),
        (records, compression) => {
          const writer = new BatchWriter(100)
          for (const each of records) writer.add(each)
          expect(writer.bytes).toBeLessThanOrEqual(records.reduce((sum, each) => sum + recordBytesMax(each), 0))
          const decoded = decodeAll(writer.finish({ ...producer, compression }))
          expect(decoded.nextOffset).toBe(records.length)
          const seen = decoded.records.map((each, index) => ({
            offset: each.offset,
            key: each.key,
            value: [...each.value],
            headers: records[index]!.headers.map(([name]) => [name, headerOf(each, name)]),
            missing: headerOf(each, 'missing'),
          }))
          const sent = records.map(({ key, value, headers }, offset) => ({
            offset,
            key: key.toString(),
            value: [...value],
            headers: headers.map((header) => [...header]),
            missing: undefined,
          }))
          expect(seen).toEqual(sent)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('tell the newest message time, which the broker searches by', () => {
    const batch = batchAt(0, [record(1, { timeMs: 0 }), record(2, { timeMs: 10 }), record(3, { timeMs: 9 })])
    expect([batch.readBigInt64BE(27), batch.readBigInt64BE(35)]).toEqual([0n, 10n])
  })

  it('can be used again after a batch is finished', () => {
    const writer = new BatchWriter(10)
    writer.add(record(1))
    const first = writer.finish(producer)
    writer.add(record(1))
    expect(writer.finish(producer).equals(first)).toBe(true)
  })

  it('are read from an offset in their middle on', () => {
    const { records, nextOffset } = decodeAll(batchAt(10, [record(1), record(2), record(3)]), 11)
    expect([records.map(({ offset }) => offset), nextOffset]).toEqual([[11, 12], 13])
  })

  it('are left out up to the marker when their transaction was aborted', () => {
    const data = Buffer.concat([
      batchAt(0, [record(1)], 1n),
      batchAt(1, [record(2)], 2n),
      markerAt(2, 1n),
      markerAt(3, 2n),
      batchAt(4, [record(3)], 1n),
      batchAt(5, [record(4, { key: Buffer.from([0, 0, 0, 0]) })], 1n),
      markerAt(6, 1n),
      batchAt(7, [record(5)], 1n),
      markerAt(8, 1n),
    ])
    // As the broker lists them: by their ends, not by their beginnings.
    const aborted = [
      { producerId: 1n, firstOffset: 4 },
      { producerId: 1n, firstOffset: 0 },
    ]
    const { records, nextOffset } = decodeAll(data, 0, aborted)
    expect([records.map(({ offset }) => offset), nextOffset]).toEqual([[1, 7], 9])
  })

  it('are not read where the last one is torn', () => {
    const data = Buffer.concat([batchAt(0, [record(1)]), batchAt(1, [record(2)])])
    const { records, nextOffset } = decodeAll(data.subarray(0, data.length - 1))
    expect([records.length, nextOffset]).toEqual([1, 1])
  })

  it('are refused when a bit is not what was written', () => {
    const data = batchAt(0, [record(1)])
    fc.assert(
      fc.property(fc.integer({ min: 17 * 8, max: data.length * 8 - 1 }), (bit) => {
        const damaged = Buffer.from(data)
        damaged[bit >> 3]! ^= 1 << (bit & 7)
        expect(() => [...decodeBatches(damaged, 0, [])]).toThrow(BatchDamaged)
      }),
    )
  })
})
