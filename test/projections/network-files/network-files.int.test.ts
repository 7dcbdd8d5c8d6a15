import { describe, expect, it } from 'vitest'
import { networkFilesProjection } from '#projections/network-files/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/hooks/story.ts'
import {
  appended,
  created,
  exchangeRates,
  feeSchedule,
  half,
  rates,
  simpleFees,
  throttles,
  updated,
} from '#test/projections/network-files/story.ts'
import { recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { bytesField, textField, varintField } from '#test/support/protobuf-writer.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const fold = (...records: readonly LogRecord[]) => foldedRows(networkFilesProjection, records)

describe('a file of the network', () => {
  it('has a version with every part, with contents where they can be read', async () => {
    const whole = rates(12)
    const [first, second] = [whole.subarray(0, 5), whole.subarray(5)]
    const rows = await fold(created(10n, exchangeRates, first), appended(20n, exchangeRates, second))
    expect(rows['versions']).toMatchObject([
      { fileId: exchangeRates, time: 10n, begun: 10n, contents: null, readable: 0 },
      { fileId: exchangeRates, time: 20n, begun: 10n, readable: 1 },
    ])
    expect(Buffer.from(rows['versions']![1]!['contents'] as Uint8Array)).toEqual(whole)
  })

  it('begins anew with an update, and not with one that leaves the contents as they are', async () => {
    const rows = await fold(
      updated(10n, exchangeRates, rates(12)),
      updated(20n, exchangeRates, Buffer.alloc(0)),
      updated(30n, exchangeRates, rates(13)),
    )
    expect(rows['versions']!.map(({ time, begun }) => [time, begun])).toEqual([
      [10n, 10n],
      [30n, 30n],
    ])
  })

  it('is not written by failures, by parts of what nobody knows, and by other files', async () => {
    const fileUpdate = { contents: rates(12) }
    const rows = await fold(
      appended(10n, exchangeRates, rates(12)),
      transaction(20n, 19, exchangeRates, { successful: false, result: 7, fileUpdate }),
      updated(30n, 1_001n, rates(12)),
      updated(40n, 102n, rates(12)),
    )
    expect(rows).toEqual({ uploads: [], versions: [] })
  })

  it('lies in the shard and realm of its network', async () => {
    const elsewhere = (1n << 54n) | (2n << 38n) | exchangeRates
    const rows = await fold(updated(10n, elsewhere, rates(12)))
    expect(rows['versions']).toMatchObject([{ fileId: elsewhere, readable: 1 }])
  })

  it('is read in its own way', async () => {
    const readable = async (file: bigint, contents: Buffer) => {
      const rows = await fold(updated(10n, file, contents))
      return rows['versions']![0]!['readable'] === 1
    }
    for (const file of [feeSchedule, exchangeRates, simpleFees, throttles])
      expect(await readable(file, half)).toBe(false)
    // A text in the first field is a message nowhere but a number in the second is one for throttles.
    const bucket = bytesField(1, textField(1, 'all'), bytesField(3, varintField(2, 1_000)))
    expect(await readable(throttles, bucket)).toBe(true)
    expect(await readable(throttles, bytesField(1, bytesField(3, half)))).toBe(false)
    const gas = bytesField(1, bytesField(1, varintField(1, 6), bytesField(3, bytesField(3, varintField(8, 852_000)))))
    expect(await readable(feeSchedule, gas)).toBe(true)
    expect(await readable(feeSchedule, bytesField(1, bytesField(1, bytesField(3, bytesField(3, half)))))).toBe(false)
    expect(await readable(simpleFees, bytesField(5, bytesField(2, varintField(1, 1))))).toBe(true)
    expect(await readable(simpleFees, bytesField(5, bytesField(2, bytesField(5, bytesField(3, half)))))).toBe(false)
  })

  it('is what a statement says, and what follows adds to it', async () => {
    const [first, second] = [rates(12).subarray(0, 14), rates(12).subarray(14)]
    const facts = { fileId: exchangeRates, asOf: 20n, contents: first, begunTimestamp: 15n }
    const stated = recordOf('FileSnapshotted', wholeEvent('FileSnapshotted', facts))
    const other = recordOf('FileSnapshotted', wholeEvent('FileSnapshotted', { ...facts, fileId: 1_001n }))
    const rows = await fold(updated(10n, exchangeRates, rates(99)), stated, other, appended(30n, exchangeRates, second))
    expect(rows['versions']!.map(({ time, begun }) => [time, begun])).toEqual([
      [10n, 10n],
      [20n, 15n],
      [30n, 15n],
    ])
    expect(Buffer.from(rows['uploads']![0]!['contents'] as Uint8Array)).toEqual(rates(12))
  })

  it('has the same rows whatever the batches', async () => {
    const story = [10, 20, 30].flatMap((cents, index) => {
      const time = BigInt(index * 100)
      const whole = rates(cents)
      return [
        updated(time + 1n, exchangeRates, whole.subarray(0, 3)),
        appended(time + 2n, exchangeRates, whole.subarray(3, 9)),
        appended(time + 3n, exchangeRates, whole.subarray(9)),
      ]
    })
    const expected = await fold(...story)
    for (const limits of awkwardLimits)
      expect(await foldedRows(networkFilesProjection, story, limits)).toEqual(expected)
  })
})
