// Rates of the log on Kafka, beside kafkajs' own producer and consumer: `npm run bench -- --stages kafka-client`, at best
// on a broker of one's own.
import { Kafka, logLevel } from 'kafkajs'
import { type KafkaMessageLog, openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import { compressions, type KafkaLogOptions } from '#src/adapters/kafka/options.ts'
import { ensureTopic, removeTopic } from '#src/adapters/kafka/topic.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { testOptions } from '#test/adapters/kafka/support.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const transfersPerEvent = 84
const eventsPerBlock = 100

/** Options for a topic of its own. */
type OptionsFor = (overrides?: Partial<KafkaLogOptions>) => KafkaLogOptions

let seed = 42
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
  return (seed >>> 8) % below
}

/** A transaction with so many transfers that it has about a kilobyte in Avro. */
function event(number: number): LogRecord {
  const transfers = Array.from(
    { length: transfersPerEvent },
    () => [BigInt(1_000 + random(50_000)), BigInt(random(1_000_000_000) - 500_000_000)] as const,
  )
  const consensusTimestamp = 1_700_000_000_000_000_000n + BigInt(number) * 104_729n
  const fields = { consensusTimestamp, transfers, payerAccountId: BigInt(1_000 + random(50_000)) }
  return recordOf('TransactionRecorded', transactionRecorded(fields))
}

const poolSize = 20_000
const pool: LogRecord[] = []

function blocksFrom(first: number, blocks: number, perBlock = eventsPerBlock): LogRecord[][] {
  return Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: perBlock }, (_, index) => pool[(first + block * perBlock + index) % pool.length]!),
  )
}

async function timed(work: () => Promise<number>): Promise<{ rate: number; seconds: number }> {
  const start = performance.now()
  const count = await work()
  const seconds = (performance.now() - start) / 1_000
  return { rate: count / seconds, seconds }
}

async function withLog(options: KafkaLogOptions, work: (log: KafkaMessageLog) => Promise<void>): Promise<void> {
  const log = openKafkaLog(options)
  try {
    await work(log)
  } finally {
    await log.close()
    await removeTopic(options)
  }
}

async function publish(log: KafkaMessageLog, events: number, blocksPerAppend: number): Promise<number> {
  const writer = await log.openWriter()
  for (let sent = 0; sent < events; sent += blocksPerAppend * eventsPerBlock)
    await writer.append(blocksFrom(sent, blocksPerAppend))
  await writer.close()
  return events
}

async function readAll(log: KafkaMessageLog): Promise<number> {
  let count = 0
  for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
    count += records.length
  return count
}

const cpu = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return user + system
}

function line(name: string, rate: number, unit: string, more = ''): void {
  console.log(`${name.padEnd(58)} ${Math.round(rate).toLocaleString('en').padStart(10)} ${unit} ${more}`)
}

async function ours(optionsFor: OptionsFor): Promise<void> {
  for (const blocks of [1, 5, 20]) {
    await withLog(optionsFor(), async (log) => {
      await publish(log, 2_000, 1)
      const appends = Math.round(200 / Math.sqrt(blocks))
      const { rate } = await timed(() => publish(log, appends * blocks * eventsPerBlock, blocks))
      line(
        `append, ${blocks} blocks of 100 events`,
        rate,
        'events/s',
        `${(rate / blocks / eventsPerBlock).toFixed(0)} transactions/s`,
      )
    })
  }
  for (const compression of compressions) {
    for (const batchBytesMax of compression === 'zstd' ? [100_000, 300_000, 1_000_000, 4_000_000] : [1_000_000]) {
      await withLog(optionsFor({ compression, batchBytesMax }), async (log) => {
        const events = 100_000
        let since = process.cpuUsage()
        const written = await timed(() => publish(log, events, 20))
        const writeCpu = cpu(since) / events
        since = process.cpuUsage()
        const read = await timed(() => readAll(log))
        const name = `${compression}, batches of ${batchBytesMax / 1_000} kB`
        line(`publish ${name}`, written.rate, 'events/s', `${writeCpu.toFixed(1)} µs CPU each`)
        line(`read    ${name}`, read.rate, 'events/s', `${(cpu(since) / events).toFixed(1)} µs CPU each`)
      })
    }
  }
}

/** What kafkajs itself does with the same events: plain sends, transactions, and a consumer. */
async function theirs(optionsFor: OptionsFor, brokers: readonly string[]): Promise<void> {
  const { CompressionTypes } = (await import('kafkajs')).default
  const messagesOf = (blocks: LogRecord[][]) =>
    blocks.flat().map(({ key, value, time }, index) => ({
      key,
      value: value as Buffer,
      timestamp: String(time / 1_000_000n),
      headers: {
        'event-type': 'TransactionRecorded',
        sequence: String(index),
        'time-ns': String(time),
        'producer-version': '0',
      },
    }))
  for (const compression of [CompressionTypes.None, CompressionTypes.GZIP]) {
    const options = optionsFor()
    await ensureTopic(options)
    const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
    const producer = kafka.producer()
    await producer.connect()
    const events = 50_000
    let since = process.cpuUsage()
    const { rate } = await timed(async () => {
      for (let sent = 0; sent < events; sent += 500)
        await producer.send({ topic: options.topic, acks: -1, compression, messages: messagesOf(blocksFrom(sent, 5)) })
      return events
    })
    line(
      `kafkajs: plain producer, compression ${compression}`,
      rate,
      'events/s',
      `${(cpu(since) / events).toFixed(1)} µs CPU each`,
    )
    await producer.disconnect()
    const consumer = kafka.consumer({ groupId: options.topic })
    await consumer.connect()
    await consumer.subscribe({ topic: options.topic, fromBeginning: true })
    let count = 0
    since = process.cpuUsage()
    let first = 0
    await new Promise<void>((resolve) => {
      void consumer.run({
        eachBatch: async ({ batch }) => {
          first ||= performance.now()
          count += batch.messages.length
          if (count >= events) resolve()
        },
      })
    })
    line(
      `kafkajs: consumer, compression ${compression}`,
      (events / (performance.now() - first)) * 1_000,
      'events/s',
      `${(cpu(since) / events).toFixed(1)} µs CPU each`,
    )
    await consumer.disconnect()
    await removeTopic(options)
  }
  for (const initialRetryTime of [300, 5]) {
    for (const blocks of [1, 5, 20]) {
      const options = optionsFor()
      await ensureTopic(options)
      const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING, retry: { initialRetryTime } })
      const producer = kafka.producer({ transactionalId: options.topic, idempotent: true, maxInFlightRequests: 1 })
      await producer.connect()
      const transactions = 30
      const { rate } = await timed(async () => {
        for (let index = 0; index < transactions; index++) {
          const transaction = await producer.transaction()
          for (let block = 0; block < blocks; block += 5) {
            const messages = messagesOf(blocksFrom(index * 100, Math.min(blocks, 5)))
            await transaction.send({ topic: options.topic, messages })
          }
          await transaction.commit()
        }
        return transactions * blocks * eventsPerBlock
      })
      const each = `${(rate / blocks / eventsPerBlock).toFixed(1)} transactions/s`
      line(`kafkajs: ${blocks} blocks a transaction, retry after ${initialRetryTime} ms`, rate, 'events/s', each)
      await producer.disconnect()
      await removeTopic(options)
    }
  }
}

export async function measureKafkaClient(brokers: readonly string[]): Promise<void> {
  while (pool.length < poolSize) pool.push(event(pool.length))
  const eventBytes = pool.reduce((sum, { value }) => sum + value.length, 0) / pool.length
  console.log(`events of ${eventBytes.toFixed(0)} bytes`)
  const optionsFor: OptionsFor = (overrides) => testOptions(brokers, overrides)
  await ours(optionsFor)
  await theirs(optionsFor, brokers)
}
