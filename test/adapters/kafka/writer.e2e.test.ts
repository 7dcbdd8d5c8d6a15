import { readFile } from 'node:fs/promises'
import kafkajs from 'kafkajs'
import { afterEach, expect, it } from 'vitest'
import { BatchWriter } from '#src/adapters/kafka/batch-writer.ts'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import { patiently } from '#src/adapters/kafka/patience.ts'
import { wireRecordsOf } from '#src/adapters/kafka/records.ts'
import { ensureTopic } from '#src/adapters/kafka/topic.ts'
import { transactionalIdOf } from '#src/adapters/kafka/writer.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { Child } from '#test/adapters/kafka/child.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

const withCode = (code: Parameters<typeof isLedgerError>[1]) => (error: unknown) => isLedgerError(error, code)

describeWithKafka('a writer on Kafka', ({ brokers }) => {
  const logs = new TestLogs()
  const children: Child[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) child.process.kill('SIGKILL')
    await logs.dispose()
  })

  it('killed in the middle of an append leaves nothing of it, and the next one goes on', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    expect((await log.head()).sequence).toBe(0)
    const child = new Child('writer-child.ts', [brokers.join(','), options.topic, 'SIGKILL', '150'])
    children.push(child)
    expect(await child.line()).toEqual({ appended: 1 })
    expect((await child.exit).signal).toBe('SIGKILL')
    const client = new KafkaClient(options)
    // Several batches are there, and nobody sees them.
    expect(await client.offsetAt(options.topic, 'latest')).toBeGreaterThan(50)
    expect(await client.offsetAt(options.topic, 'stable')).toBe(2)
    client.close()
    expect((await log.head()).sequence).toBe(1)

    const writer = await log.openWriter()
    expect(writer.head.sequence).toBe(1)
    expect((await log.head()).sequence).toBe(1)
    await writer.append([[logRecord(2)]])
    expect((await readAll(log)).map(({ key }) => key)).toEqual(['key-1', 'key-2'])
    expect((await readAll(log, 1)).map(({ key }) => key)).toEqual(['key-2'])
  })

  it('stopped in the middle of an append until another took over writes nothing any more when it goes on', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    await ensureTopic(options)
    const child = new Child('writer-child.ts', [brokers.join(','), options.topic, 'SIGSTOP', '150'])
    children.push(child)
    expect(await child.line()).toEqual({ appended: 1 })
    await stopped(child.process.pid!)
    const writer = await log.openWriter()
    await writer.append([[logRecord(2)], [logRecord(3)]])
    child.process.kill('SIGCONT')
    expect(await child.line()).toEqual({ code: 'log_writer_fenced' })
    await child.exit
    await writer.append([[logRecord(4)]])
    expect((await readAll(log)).map(({ key }) => key)).toEqual(['key-1', 'key-2', 'key-3', 'key-4'])
  })

  it('skips aborted transactions at the end, between events and when seeking', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    await ensureTopic(options)
    for (let round = 0; round < 3; round++) {
      await abandonTransaction(options.topic, 40)
      const writer = await log.openWriter()
      expect(writer.head.sequence).toBe(round * 5)
      await writer.append([Array.from({ length: 5 }, (_, index) => logRecord(round * 5 + index + 1))])
      await writer.close()
    }
    await abandonTransaction(options.topic, 40)
    await (await log.openWriter()).close()
    expect((await log.head()).sequence).toBe(15)
    for (let after = 0; after <= 15; after++) {
      const keys = (await readAll(log, after)).map(({ key }) => key)
      expect(keys).toEqual(Array.from({ length: 15 - after }, (_, index) => `key-${after + index + 1}`))
    }
  })

  /** What a writer leaves that dies before its commit. */
  async function abandonTransaction(topic: string, count: number): Promise<void> {
    const client = new KafkaClient(testOptions(brokers))
    const patience = { timeoutMs: 10_000, pauseMinMs: 10, pauseMaxMs: 200 }
    // The broker may still be at the end of the transaction before.
    const transaction = await patiently(patience, () => client.initProducer(transactionalIdOf(topic), 10_000))
    await client.beginTransaction(topic, transaction)
    const batch = new BatchWriter(1_000)
    for (let sequence = 1; sequence <= count; sequence++) {
      const record = logRecord(sequence, { key: 'aborted' })
      for (const wire of wireRecordsOf({
        record,
        value: record.value,
        sequence,
        producerVersion: '0',
        partBytesMax: 1e6,
      }))
        batch.add(wire)
    }
    const data = batch.finish({ ...transaction, firstSequence: 0, compression: 'none' })
    await client.produce({ topic, transactionalId: transaction.transactionalId, batch: data, timeoutMs: 10_000 })
    client.close()
  }

  it('splits events above the batch limit, and readers put them together', async () => {
    const log = logs.open(testOptions(brokers, { batchBytesMax: 10_000 }))
    const writer = await log.openWriter()
    const sizes = [10, 7_951, 7_952, 7_953, 25_000, 0, 300_000, 10]
    const sent = sizes.map((size, index) => logRecord(index + 1, { value: Buffer.alloc(size, index + 65) }))
    expect((await writer.append([sent])).sequence).toBe(8)
    for (let after = 0; after < 8; after++) {
      const read = await readAll(log, after, 3)
      expect(read.map(({ sequence, value }) => [sequence, value.length, value[0]])).toEqual(
        sent.slice(after).map(({ value }, index) => [after + index + 1, value.length, value[0]]),
      )
    }
    expect(await log.head()).toEqual({ sequence: 8, time: logRecord(8).time })
  })

  it('counts its records past 2^31, where kafkajs would begin at 0 too early', async () => {
    const log = logs.open(testOptions(brokers, { firstProducerSequence: 2 ** 31 - 1_000 }))
    const writer = await log.openWriter()
    for (let block = 0; block < 5; block++)
      await writer.append([Array.from({ length: 300 }, (_, index) => logRecord(block * 300 + index + 1))])
    await writer.append([[logRecord(1_501)]])
    expect((await readAll(log)).map(({ key }) => key)).toEqual(
      Array.from({ length: 1_501 }, (_, index) => `key-${index + 1}`),
    )
  })

  it('does not commit after the broker refused a part of the append, and is of no use any more', async () => {
    const options = testOptions(brokers, { compression: 'none', batchBytesMax: 50_000 })
    const log = logs.open(options)
    const writer = await log.openWriter()
    await writer.append([[logRecord(1)]])
    await alter(options.topic, 'max.message.bytes', '20000')
    const value = Buffer.alloc(15_000)
    const small = [logRecord(2), logRecord(3)]
    const large = Array.from({ length: 6 }, (_, index) => logRecord(index + 4, { value }))
    await expect(writer.append([small, large])).rejects.toSatisfy(withCode('log_unavailable'))
    await expect(writer.append([small])).rejects.toSatisfy(withCode('log_unavailable'))
    await alter(options.topic, 'max.message.bytes', '2000000')
    const next = await log.openWriter()
    expect(next.head.sequence).toBe(1)
    await next.append([small, large])
    expect((await readAll(log)).map(({ key }) => key)).toEqual(
      Array.from({ length: 9 }, (_, index) => `key-${index + 1}`),
    )
  })

  async function alter(topic: string, name: string, value: string): Promise<void> {
    const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin()
    await admin.connect()
    // It replaces all settings, and whatever is left out goes back to its default.
    const others = { 'retention.ms': '-1', 'message.timestamp.after.max.ms': '9223372036854775807' }
    const configEntries = Object.entries({ ...others, [name]: value }).map(([key, text]) => ({
      name: key,
      value: text,
    }))
    await admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name: topic, configEntries }] })
    await admin.disconnect()
  }

  it('gives messages their consensus time, by which others find a place that is not too late, and we the place', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    const writer = await log.openWriter()
    const second = 1_000_000_000n
    const old = 1_568_411_631n * second
    const late = 4_102_444_800n * second
    // Not only the present: times long before and after it, and before 1970.
    await writer.append([[-5n * second, 1n, old, old + 1n].map((time, index) => logRecord(index + 1, { time }))])
    await writer.append([[logRecord(5, { time: late })], [logRecord(6, { time: late + second })]])
    const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin()
    await admin.connect()
    const at = async (time: bigint) =>
      Number((await admin.fetchTopicOffsetsByTimestamp(options.topic, Number(time / 1_000_000n)))[0]!.offset)
    // The event 5 has offset 5, but offset 4 is a marker, which has the time of day.
    expect([await at(0n), await at(old), await at(old + second), await at(late), await at(late + second)]).toEqual([
      0, 2, 4, 5, 6,
    ])
    await admin.disconnect()
    const found: unknown[] = []
    for (const time of [-6n * second, 0n, 2n, old, old + 1n, old + 2n, late, late + second])
      found.push(await log.findPlaceAt(time))
    expect(found).toEqual([
      { sequence: 1, offset: 0 },
      { sequence: 2, offset: 1 },
      { sequence: 3, offset: 2 },
      { sequence: 3, offset: 2 },
      { sequence: 4, offset: 3 },
      { sequence: 5, offset: 5 },
      { sequence: 5, offset: 5 },
      { sequence: 6, offset: 6 },
    ])
    expect(await log.findPlaceAt(late + 2n * second)).toBeUndefined()
  })

  it('says by its code whether trying again is of use', async () => {
    const framing = {
      toWire: () => {
        throw new LedgerError('schema_unknown', 'The registry has no such schema')
      },
      fromWire: (value: Uint8Array) => value,
    }
    const writer = await logs.open(testOptions(brokers, { framing })).openWriter()
    await expect(writer.append([[logRecord(1)]])).rejects.toSatisfy(withCode('schema_unknown'))
    await expect(writer.append([[logRecord(1)]])).rejects.toSatisfy(withCode('schema_unknown'))
  })

  it('refuses a transaction timeout that the brokers do not allow', async () => {
    const log = logs.open(testOptions(brokers, { transactionTimeoutMs: 2_000_000_000 }))
    await expect(log.openWriter()).rejects.toSatisfy(withCode('config_invalid'))
  })

  it('leaves the form on the wire to the framing, in both directions', async () => {
    const marked = Buffer.from('c3010123456789abcdef42', 'hex')
    const seen: (string | undefined)[] = []
    const framing = {
      toWire: (value: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, 0, 7]), value.subarray(10)]),
      fromWire: (value: Uint8Array, fingerprint: string | undefined) => {
        seen.push(fingerprint)
        return value[0] === 0 ? Buffer.concat([Buffer.from(`c301${fingerprint}`, 'hex'), value.subarray(5)]) : value
      },
    }
    const options = testOptions(brokers, { framing })
    const log = logs.open(options)
    const writer = await log.openWriter()
    await writer.append([[logRecord(1, { value: marked })]])
    expect(Buffer.from((await readAll(log))[0]!.value).equals(marked)).toBe(true)
    expect(seen).toEqual(['0123456789abcdef'])
    const { framing: _, ...plain } = options
    expect(Buffer.from((await readAll(logs.open(plain)))[0]!.value).toString('hex')).toBe('000000000742')
  })
})

/** Waits until the operating system has stopped the process. */
async function stopped(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    if (stat.slice(stat.lastIndexOf(')') + 2)[0] === 'T') return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
