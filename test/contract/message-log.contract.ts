import { afterEach, describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import type { LogRecord, LogWriter, MessageLog, StoredRecord } from '#src/ports/message-log.ts'

/** How an adapter takes part: each call of `open` gives another handle on the same log. */
export interface MessageLogFixture {
  open(): Promise<MessageLog>
  /** Closes what is open and removes the log. */
  dispose(): Promise<void>
}

export function logRecord(number: number, overrides: Partial<LogRecord> = {}): LogRecord {
  return {
    type: 'TransactionRecorded',
    key: `key-${number}`,
    time: 1_700_000_000_000_000_000n + BigInt(number),
    value: Buffer.from(`value ${number}`),
    ...overrides,
  }
}

export async function readAll(log: MessageLog, after = 0, countMax = 1_000): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const batch of log.read({ after, countMax, bytesMax: 1 << 20, follow: false }))
    records.push(...batch.records)
  return records
}

/** Every adapter of MessageLog passes this suite unchanged. */
export function describeMessageLog(name: string, createFixture: () => Promise<MessageLogFixture>): void {
  describe(`${name} as a message log`, () => {
    let fixture: MessageLogFixture | undefined
    const start = async (): Promise<MessageLogFixture> => {
      fixture = await createFixture()
      return fixture
    }
    afterEach(async () => {
      await fixture?.dispose()
      fixture = undefined
    })

    it('is empty at first', async () => {
      const log = await (await start()).open()
      expect(await log.head()).toEqual({ sequence: 0, time: undefined })
      expect(await readAll(log)).toEqual([])
    })

    it('numbers events densely from 1 in the order of the blocks', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      expect((await writer.append([[logRecord(1), logRecord(2)], [logRecord(3)]])).sequence).toBe(3)
      expect((await writer.append([[logRecord(4)]])).sequence).toBe(4)
      const records = await readAll(log)
      expect(records.map(({ sequence, key }) => [sequence, key])).toEqual([1, 2, 3, 4].map((n) => [n, `key-${n}`]))
      expect(await log.head()).toEqual({ sequence: 4, time: logRecord(4).time })
    })

    it('gives back type, key, time and value exactly, also int64 extremes, unicode keys and empty values', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      const sent = [
        logRecord(1, { type: 'BlockRecorded', time: 9_223_372_036_854_775_807n, value: Buffer.alloc(0) }),
        logRecord(2, { key: 'ключ-é', time: -9_223_372_036_854_775_808n }),
        logRecord(3, { value: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) }),
      ]
      await writer.append([sent])
      const received = await readAll(log)
      expect(received.map(({ type, key, time, value }) => ({ type, key, time, value: Buffer.from(value) }))).toEqual(
        sent,
      )
    })

    it('keeps an event far larger than a chunk whole', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      const value = Buffer.alloc(3 << 20, 7)
      await writer.append([[logRecord(1), logRecord(2, { value }), logRecord(3)]])
      const records = await readAll(log)
      expect(records.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
      expect(Buffer.compare(records[1]!.value, value)).toBe(0)
    })

    it('reads from any sequence on, in batches of any size', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      await writer.append([
        Array.from({ length: 700 }, (_, index) => logRecord(index + 1, { value: Buffer.alloc(1_000, index) })),
      ])
      for (const [after, countMax] of [
        [0, 1],
        [1, 7],
        [255, 256],
        [699, 10],
      ] as const) {
        const records = await readAll(log, after, countMax)
        expect(records.map(({ sequence }) => sequence)).toEqual(
          Array.from({ length: 700 - after }, (_, index) => after + index + 1),
        )
      }
      expect(await readAll(log, 700)).toEqual([])
    })

    it('limits batches by count', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      await writer.append([Array.from({ length: 10 }, (_, index) => logRecord(index + 1))])
      const sizes: number[] = []
      for await (const { records } of log.read({ after: 0, countMax: 4, bytesMax: 1 << 20, follow: false }))
        sizes.push(records.length)
      expect(sizes).toEqual([4, 4, 2])
    })

    it('lets several readers go their own ways', async () => {
      const { open } = await start()
      const log = await open()
      const writer = await log.openWriter()
      await writer.append([[logRecord(1), logRecord(2), logRecord(3)]])
      const first = log.read({ after: 0, countMax: 1, bytesMax: 1 << 20, follow: false })[Symbol.asyncIterator]()
      const second = log.read({ after: 1, countMax: 1, bytesMax: 1 << 20, follow: false })[Symbol.asyncIterator]()
      const sequenceOf = async (reader: typeof first) => (await reader.next()).value.records[0].sequence
      expect([
        await sequenceOf(first),
        await sequenceOf(second),
        await sequenceOf(second),
        await sequenceOf(first),
      ]).toEqual([1, 2, 3, 2])
    })

    it('a following reader waits for what comes and stops at the signal', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      const stop = new AbortController()
      const seen: number[] = []
      const reading = (async () => {
        for await (const { records } of log.read({
          after: 0,
          countMax: 10,
          bytesMax: 1 << 20,
          follow: true,
          signal: stop.signal,
        })) {
          seen.push(...records.map(({ sequence }) => sequence))
          if (seen.length === 3) stop.abort()
        }
      })()
      await writer.append([[logRecord(1)]])
      await writer.append([[logRecord(2), logRecord(3)]])
      await reading
      expect(seen).toEqual([1, 2, 3])
    })

    it('lets only one of two writers append: the second is refused, or shuts the first out', async () => {
      const fixture = await start()
      const log = await fixture.open()
      const writer = await log.openWriter()
      await writer.append([[logRecord(1)]])
      const newer = await (await fixture.open()).openWriter().catch((error: unknown) => error)
      if (newer instanceof Error) {
        expect(isLedgerError(newer, 'log_writer_busy')).toBe(true)
        await writer.append([[logRecord(2)]])
      } else {
        await expect(writer.append([[logRecord(9)]])).rejects.toSatisfy((error) =>
          isLedgerError(error, 'log_writer_fenced'),
        )
        await (newer as LogWriter).append([[logRecord(2)]])
        await expect(writer.append([[logRecord(9)]])).rejects.toSatisfy((error) =>
          isLedgerError(error, 'log_writer_fenced'),
        )
      }
      expect((await readAll(log)).map(({ key }) => key)).toEqual(['key-1', 'key-2'])
    })

    it('lets the next writer in when the first has closed', async () => {
      const fixture = await start()
      const log = await fixture.open()
      const writer = await log.openWriter()
      await writer.append([[logRecord(1), logRecord(2)]])
      await writer.close()
      const next = await (await fixture.open()).openWriter()
      expect(next.head).toEqual({ sequence: 2, time: logRecord(2).time })
      await next.append([[logRecord(3)]])
      expect((await readAll(log)).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    })

    it('appends nothing through a writer that was closed', async () => {
      const fixture = await start()
      const log = await fixture.open()
      const stale = await log.openWriter()
      await stale.close()
      const writer = await log.openWriter()
      await writer.append([[logRecord(1)]])
      await expect(stale.append([[logRecord(9)]])).rejects.toSatisfy((error) =>
        isLedgerError(error, 'log_writer_fenced'),
      )
      expect((await readAll(log)).map(({ key }) => key)).toEqual(['key-1'])
    })

    it('finds everything again after closing and opening', async () => {
      const fixture = await start()
      const log = await fixture.open()
      const writer = await log.openWriter()
      await writer.append([[logRecord(1), logRecord(2)]])
      await writer.close()
      const again = await fixture.open()
      expect((await readAll(again)).map(({ key }) => key)).toEqual(['key-1', 'key-2'])
      expect((await again.head()).sequence).toBe(2)
    })

    it('shows a reader all events of an append or none', async () => {
      const log = await (await start()).open()
      const writer = await log.openWriter()
      const heads = new Set<number>()
      const stop = new AbortController()
      const watching = (async () => {
        for await (const { head } of log.read({
          after: 0,
          countMax: 3,
          bytesMax: 1 << 20,
          follow: true,
          signal: stop.signal,
        })) {
          heads.add(head)
          if (head === 50) stop.abort()
        }
      })()
      for (let block = 0; block < 5; block++) {
        await writer.append([Array.from({ length: 10 }, (_, index) => logRecord(block * 10 + index + 1))])
        await new Promise((resolve) => setImmediate(resolve))
      }
      await watching
      expect([...heads].every((head) => head % 10 === 0)).toBe(true)
    })
  })
}
