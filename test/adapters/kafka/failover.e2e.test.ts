import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithOwn, type LocalKafka, startKafka } from '#test/support/own-services.ts'

describeWithOwn(['kafka'], 'a log on three Kafka brokers', () => {
  let kafka: LocalKafka
  const logs = new TestLogs()
  beforeAll(async () => {
    const settings = { 'connections.max.idle.ms': '3000', 'broker.session.timeout.ms': '6000' }
    kafka = await startKafka({ brokers: 3, heapMb: 300, settings })
  }, 180_000)
  afterEach(() => logs.dispose())
  afterAll(() => kafka.stop())

  const options = () => testOptions(kafka.bootstrap.split(','), { replicationFactor: 3, minInsyncReplicas: 2 })
  const openConnections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

  it('is written and read on after the brokers closed what was idle', async () => {
    const log = logs.open(options())
    const writer = await log.openWriter()
    await writer.append([[logRecord(1)]])
    await log.head()
    expect(openConnections()).toBeGreaterThan(0)
    await expect.poll(openConnections, { timeout: 30_000, interval: 100 }).toBe(0)
    await writer.append([[logRecord(2)]])
    expect((await log.head()).sequence).toBe(2)
  }, 60_000)

  it('loses and doubles nothing when the leader dies', async () => {
    const log = logs.open(options())
    const stop = new AbortController()
    const patience = { logger: silentLogger, retryMinMs: 50, retryMaxMs: 500 }
    const total = 300
    const seen: number[] = []
    const read = async (): Promise<void> => {
      const options = { after: seen.length, countMax: 10, bytesMax: 1 << 20, follow: true, signal: stop.signal }
      for await (const { records } of log.read(options)) {
        seen.push(...records.map(({ sequence }) => sequence))
        if (seen.length >= total) stop.abort()
      }
    }
    let reached = 0
    const write = async (): Promise<void> => {
      const writer = await log.openWriter()
      reached = writer.head.sequence
      while (reached < total) reached = (await writer.append([[logRecord(reached + 1)]])).sequence
    }
    const reading = retryWhileAway(read, { ...patience, progress: () => seen.length })
    const writing = retryWhileAway(write, { ...patience, progress: () => reached })
    await expect.poll(() => reached, { timeout: 30_000 }).toBeGreaterThan(50)
    await kafka.kill(await leaderOf())
    await writing
    await reading
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1))
    expect((await readAll(log)).map(({ key }) => key)).toEqual(seen.map((number) => `key-${number}`))

    /** The first of the replicas leads, as long as nobody failed. */
    async function leaderOf(): Promise<number> {
      const client = new KafkaClient(options())
      const partitions = await client.findPartitions(logs.topics()[0]!)
      client.close()
      return partitions![0]![0]!
    }
  }, 120_000)
})
