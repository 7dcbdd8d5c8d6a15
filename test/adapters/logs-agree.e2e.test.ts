import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import type { LogRecord, MessageLog } from '#src/ports/message-log.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

/** No more than this, however slow the broker is; what was tried until then counts. */
const timeLimitMs = 20_000
const runsMax = 25
/** So small that batches, fetches and events do not fit into each other. */
const batchBytesMax = 4_096

const event = fc.record({
  type: fc.constantFrom('TransactionRecorded' as const, 'BlockRecorded' as const),
  key: fc.string({ unit: 'binary', maxLength: 12 }),
  time: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  bytes: fc.oneof(
    { weight: 6, arbitrary: fc.nat(60) },
    { weight: 1, arbitrary: fc.integer({ min: 1_900, max: 9_000 }) },
  ),
})
const blocks = fc.array(fc.array(event, { maxLength: 12 }), { maxLength: 4 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ append: blocks }) },
  { weight: 1, arbitrary: fc.constant({ reopen: true }) },
  {
    weight: 4,
    arbitrary: fc.record({
      after: fc.nat(150),
      countMax: fc.integer({ min: 1, max: 20 }),
      bytesMax: fc.constantFrom(1, 500, 5_000, 1 << 20),
    }),
  },
)

async function read(log: MessageLog, options: { after: number; countMax: number; bytesMax: number }): Promise<unknown> {
  const records: unknown[] = []
  for await (const batch of log.read({ ...options, follow: false })) {
    expect(batch.records.length).toBeGreaterThan(0)
    expect(batch.records.length).toBeLessThanOrEqual(options.countMax)
    expect(batch.head).toBeGreaterThanOrEqual(batch.records.at(-1)!.sequence)
    for (const record of batch.records) records.push({ ...record, value: Buffer.from(record.value).toString('base64') })
  }
  return records
}

describeWithKafka('Kafka beside SQLite', ({ brokers }) => {
  it('keeps the same log, however it is written and wherever it is read', { timeout: 3 * timeLimitMs }, async () => {
    let runs = 0
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      runs++
      const opened = new TestLogs()
      const embedded = openSqliteLog({ folder: ':memory:', pollMs: 1 })
      try {
        const logs = [embedded, opened.open(testOptions(brokers, { batchBytesMax }))]
        let writers = await Promise.all(logs.map((log) => log.openWriter()))
        let sent = 0
        for (const each of steps) {
          if ('append' in each) {
            const toRecord = ({ bytes, ...rest }: (typeof each.append)[number][number]): LogRecord => ({
              ...logRecord(++sent),
              ...rest,
              value: Buffer.alloc(bytes, sent),
            })
            const records = each.append.map((block) => block.map(toRecord))
            const [expected, head] = await Promise.all(writers.map((writer) => writer.append(records)))
            expect(head).toEqual(expected)
          } else if ('reopen' in each) {
            for (const writer of writers) await writer.close()
            writers = await Promise.all(logs.map((log) => log.openWriter()))
            expect(writers[1]!.head).toEqual(writers[0]!.head)
          } else {
            const [expected, found] = await Promise.all(logs.map((log) => read(log, each)))
            expect(found).toEqual(expected)
          }
          const [expected, head] = await Promise.all(logs.map((log) => log.head()))
          expect(head).toEqual(expected)
        }
      } finally {
        await embedded.close()
        await opened.dispose()
      }
    })
    const limits = { interruptAfterTimeLimit: timeLimitMs, markInterruptAsFailure: false }
    await fc.assert(property, { numRuns: runsMax, endOnFailure: true, ...limits })
    expect(runs).toBeGreaterThan(0)
  })
})
