import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogWriter } from '#src/ports/message-log.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithOwn, type LocalKafka, startKafka } from '#test/support/own-services.ts'

const unavailable = (error: unknown) => isLedgerError(error, 'log_unavailable')

describeWithOwn(['kafka'], 'a log on a Kafka that goes away', () => {
  let kafka: LocalKafka
  const logs = new TestLogs()
  beforeAll(async () => {
    kafka = await startKafka({ heapMb: 320 })
  }, 120_000)
  afterEach(() => logs.dispose())
  afterAll(() => kafka.stop())
  const brokers = () => kafka.bootstrap.split(',')

  it('is read and written again, nothing lost or doubled, after the broker was killed meanwhile', async () => {
    const reconnects: object[] = []
    const logger = {
      ...silentLogger,
      debug: (fields: object, message: string) => {
        if (message === 'a reader reconnects') reconnects.push(fields)
      },
    }
    const log = logs.open(testOptions(brokers(), { logger }))
    const stop = new AbortController()
    const total = 400
    const seen: number[] = []
    const read = async (): Promise<void> => {
      const options = { after: seen.length, countMax: 10, bytesMax: 1 << 20, follow: true, signal: stop.signal }
      for await (const { records } of log.read(options)) {
        seen.push(...records.map(({ sequence }) => sequence))
        if (seen.length >= total) stop.abort()
      }
    }
    const patience = { logger: silentLogger, retryMinMs: 50, retryMaxMs: 500 }
    const reading = retryWhileAway(read, { ...patience, progress: () => seen.length })

    let reached = 0
    let failures = 0
    const write = async (): Promise<void> => {
      const writer = await log.openWriter()
      reached = writer.head.sequence
      while (reached < total) reached = (await writer.append([[logRecord(reached + 1)]])).sequence
      await writer.close()
    }
    const writing = retryWhileAway(write, { ...patience, progress: () => reached, onAway: () => failures++ })
    await expect.poll(() => reached, { timeout: 30_000 }).toBeGreaterThan(50)
    await kafka.kill()
    await kafka.restart()
    await writing
    await reading
    expect(failures).toBeGreaterThan(0)
    expect(reconnects.length).toBeGreaterThan(0)
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1))
    expect((await readAll(log)).map(({ key }) => key)).toEqual(seen.map((number) => `key-${number}`))
  }, 120_000)

  it('says log_unavailable while the broker is away, and works again by itself', async () => {
    const log = logs.open(testOptions(brokers(), { requestTimeoutMs: 2_000, connectTimeoutMs: 1_000 }))
    const writer: LogWriter = await log.openWriter()
    await writer.append([[logRecord(1)]])
    await kafka.kill()
    await expect(writer.append([[logRecord(2)]])).rejects.toSatisfy(unavailable)
    await expect(log.head()).rejects.toSatisfy(unavailable)
    await expect(log.openWriter()).rejects.toSatisfy(unavailable)
    const since = performance.now()
    await expect(readAll(log)).rejects.toSatisfy(unavailable)
    expect(performance.now() - since).toBeLessThan(5_000)
    await kafka.restart()
    expect((await log.head()).sequence).toBe(1)
    expect(await readAll(log)).toHaveLength(1)
    const next = await log.openWriter()
    await next.append([[logRecord(2)]])
    expect(await readAll(log)).toHaveLength(2)
  }, 120_000)

  it('does not hang on a broker that does not answer', async () => {
    const log = logs.open(testOptions(brokers(), { requestTimeoutMs: 1_000, connectTimeoutMs: 1_000 }))
    const writer = await log.openWriter()
    await writer.append([[logRecord(1)]])
    kafka.signal('SIGSTOP')
    try {
      // Its threads stop one after the other.
      await vi.waitUntil(() => log.head().then(() => false, unavailable), { timeout: 20_000, interval: 1 })
      await expect(writer.append([[logRecord(2)]])).rejects.toSatisfy(unavailable)
      await expect(log.head()).rejects.toSatisfy(unavailable)
      await expect(readAll(log)).rejects.toSatisfy(unavailable)
    } finally {
      kafka.signal('SIGCONT')
    }
    // The broker may have taken the second event before it stopped answering, but only whole.
    const opened = () =>
      log.openWriter().then(
        ({ head }) => head.sequence,
        () => undefined,
      )
    await expect.poll(opened, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(await readAll(log)).toHaveLength((await log.head()).sequence)
  }, 60_000)
})
