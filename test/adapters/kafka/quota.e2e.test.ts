import { randomBytes, randomUUID } from 'node:crypto'
import Encoder from 'kafkajs/src/protocol/encoder.js'
import { afterEach, expect, it } from 'vitest'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

const alterClientQuotas = { apiKey: 49, apiVersion: 0, apiName: 'AlterClientQuotas' }

describeWithKafka('a reader on Kafka with a quota', ({ brokers }) => {
  const logs = new TestLogs()
  afterEach(() => logs.dispose())

  /** Bytes a second that clients of this name may read; undefined: as many as they like. */
  async function limit(clientId: string, bytesPerSecond: number | undefined): Promise<void> {
    const value = Buffer.alloc(8)
    value.writeDoubleBE(bytesPerSecond ?? 0)
    const encode = async () =>
      new Encoder()
        .writeInt32(1)
        .writeInt32(1)
        .writeString('client-id')
        .writeString(clientId)
        .writeInt32(1)
        .writeString('consumer_byte_rate')
        .writeInt32(value.readInt32BE(0))
        .writeInt32(value.readInt32BE(4))
        // Two flags of a byte each: whether to take it away, and whether this is only a trial.
        .writeInt16(bytesPerSecond === undefined ? 0x0100 : 0)
    const client = new KafkaClient(testOptions(brokers))
    await client.administer('setting a quota', (broker) =>
      broker.connectionPool.send({
        request: { ...alterClientQuotas, encode },
        response: {
          decode: async (payload: Buffer) => payload.readInt16BE(8),
          parse: async (code: number) => expect(code).toBe(0),
        },
      }),
    )
    client.close()
  }

  it('is slowed down, without an error', async () => {
    const reconnects: string[] = []
    const logger = { ...silentLogger, debug: (_: object, message: string) => reconnects.push(message) }
    const clientId = `test-${randomUUID()}`
    const options = testOptions(brokers, { compression: 'none' })
    const writer = await logs.open(options).openWriter()
    const value = randomBytes(100_000)
    const total = 11
    for (let sequence = 1; sequence <= total; sequence++) await writer.append([[logRecord(sequence, { value })]])
    // The broker looks at ten seconds together, so that ten times the rate is free at first.
    await limit(clientId, 100_000)
    try {
      const log = logs.open({ ...options, clientId, logger })
      const seen: number[] = []
      for await (const { records } of log.read({ after: 0, countMax: 2, bytesMax: 200_000, follow: false })) {
        seen.push(...records.map(({ sequence }) => sequence))
      }
      expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1))
      expect(reconnects).not.toContain('a reader reconnects')
      // It is still over its quota, and closing does not wait for that.
      const waiting = (async () => {
        for await (const { records } of log.read({ after: 0, countMax: 2, bytesMax: 200_000, follow: false }))
          expect(records.length).toBeGreaterThan(0)
      })()
      await log.close()
      await expect(waiting).rejects.toSatisfy((error) => isLedgerError(error, 'log_unavailable'))
    } finally {
      await limit(clientId, undefined)
    }
  }, 60_000)
})
