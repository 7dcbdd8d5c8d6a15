import { describe, expect, it } from 'vitest'
import { BatchWriter } from '#src/adapters/kafka/batch-writer.ts'
import type { KafkaClient, OffsetAt } from '#src/adapters/kafka/client.ts'
import { readHead } from '#src/adapters/kafka/position.ts'
import { wireRecordsOf } from '#src/adapters/kafka/records.ts'
import type { FetchAnswer } from '#src/adapters/kafka/requests.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { logRecord } from '#test/contract/message-log.contract.ts'

/** One event a batch, at the offset below its sequence. */
function batchOf(sequence: number): Buffer {
  const writer = new BatchWriter(1_000)
  const record = logRecord(sequence)
  for (const wire of wireRecordsOf({
    record,
    value: record.value,
    sequence,
    producerVersion: '0',
    partBytesMax: 1_000,
  }))
    writer.add(wire)
  const batch = writer.finish({ producerId: 1n, producerEpoch: 0, firstSequence: 0, compression: 'none' })
  batch.writeBigInt64BE(BigInt(sequence - 1), 0)
  return batch
}

/** A topic of ten events in one append, whose leader returns one batch at a time, and `empties` times nothing at all. */
function topicThatReturns(empties: number, lastStable = 10): KafkaClient {
  let left = empties
  return {
    offsetAt: async (_: string, at: OffsetAt) => (at === 'earliest' ? 0 : 10),
    fetch: async ({ offset }: { offset: number }): Promise<FetchAnswer> => ({
      lastStable,
      aborted: [],
      data: offset === 9 && left-- > 0 ? Buffer.alloc(0) : batchOf(offset + 1),
    }),
  } as unknown as KafkaClient
}

describe('the head of a topic', () => {
  it('is the last event, also where the leader needs several attempts to find it', async () => {
    expect((await readHead(topicThatReturns(0), 'any')).sequence).toBe(10)
    expect((await readHead(topicThatReturns(3), 'any')).sequence).toBe(10)
    expect((await readHead(topicThatReturns(3, 5), 'any')).sequence).toBe(10)
  })

  it('is not guessed where the leader returns nothing', async () => {
    const reading = readHead(topicThatReturns(Number.POSITIVE_INFINITY), 'any')
    await expect(reading).rejects.toSatisfy((error) => isLedgerError(error, 'log_unavailable'))
  })
})
