import kafkajs from 'kafkajs'
import { afterEach, expect, it, vi } from 'vitest'
import { BatchWriter, type WireRecord } from '#src/adapters/kafka/batch-writer.ts'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import { wireRecordsOf } from '#src/adapters/kafka/records.ts'
import { ensureTopic, removeTopic } from '#src/adapters/kafka/topic.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { Child } from '#test/adapters/kafka/child.ts'
import { TestLogs, testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

const withCode = (code: Parameters<typeof isLedgerError>[1]) => (error: unknown) => isLedgerError(error, code)

describeWithKafka('a reader on Kafka', ({ brokers }) => {
  const logs = new TestLogs()
  afterEach(() => logs.dispose())

  async function withAdmin<T>(work: (admin: kafkajs.Admin) => Promise<T>): Promise<T> {
    const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin()
    await admin.connect()
    try {
      return await work(admin)
    } finally {
      await admin.disconnect()
    }
  }

  const removeBefore = (topic: string, offset: string) =>
    withAdmin(async (admin) => {
      // deleteTopicRecords loads no metadata by itself.
      await admin.fetchTopicOffsets(topic)
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset }] })
    })

  it('stops with log_gap where events were removed, and reads what is left', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    const writer = await log.openWriter()
    for (let block = 0; block < 10; block++)
      await writer.append([Array.from({ length: 9 }, (_, index) => logRecord(block * 9 + index + 1))])
    // Ten offsets a block.
    await removeBefore(options.topic, '50')
    await expect(readAll(log)).rejects.toSatisfy(withCode('log_gap'))
    await expect(readAll(log, 44)).rejects.toSatisfy(withCode('log_gap'))
    expect((await readAll(log, 45)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 45 }, (_, i) => i + 46),
    )
    expect((await log.head()).sequence).toBe(90)
  })

  it('stops with log_gap when events are removed before the place where it is', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    const writer = await log.openWriter()
    const value = Buffer.from(Array.from({ length: 30_000 }, () => Math.floor(Math.random() * 256)))
    const append = async (first: number) =>
      writer.append([Array.from({ length: 60 }, (_, index) => logRecord(first + index, { value }))])
    for (let block = 0; block < 4; block++) await append(block * 60 + 1)
    const read = log.read({ after: 0, countMax: 10, bytesMax: 100_000, follow: true })[Symbol.asyncIterator]()
    expect((await read.next()).value.records[0].sequence).toBe(1)
    await removeBefore(options.topic, '200')
    const rest = async () => {
      for (;;)
        if ((await read.next()).value.records.some(({ sequence }: { sequence: number }) => sequence > 190)) return
    }
    await expect(rest()).rejects.toSatisfy(withCode('log_gap'))
  })

  it('stops where the topic was made anew while it waited, though the sequence goes on there', async () => {
    const options = testOptions(brokers)
    const write = async (count: number) => {
      const writer = await logs.open(options).openWriter()
      await writer.append([Array.from({ length: count }, (_, index) => logRecord(index + 1))])
    }
    await write(3)
    const log = logs.open(options)
    const read = log.read({ after: 0, countMax: 10, bytesMax: 100_000, follow: true })[Symbol.asyncIterator]()
    expect((await read.next()).value.records).toHaveLength(3)
    const before = await log.identity()
    const stopped = expect(read.next()).rejects.toSatisfy(withCode('log_damaged'))
    await removeTopic(options)
    await write(9)

    await stopped
    expect(await log.identity()).not.toBe(before)
  })

  it('gives what stands before a record that is none of ours, and stops there', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    await (await log.openWriter()).append([[logRecord(1), logRecord(2)]])
    const producer = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).producer()
    await producer.connect()
    await producer.send({ topic: options.topic, messages: [{ value: 'x' }] })
    await producer.disconnect()

    const read = log.read({ after: 0, countMax: 10, bytesMax: 100_000, follow: false })[Symbol.asyncIterator]()
    expect((await read.next()).value.records).toHaveLength(2)
    await expect(read.next()).rejects.toSatisfy(withCode('log_damaged'))
  })

  it('stops with log_gap where nothing is left', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    await (await log.openWriter()).append([[logRecord(1), logRecord(2)]])
    await removeBefore(options.topic, '-1')
    await expect(log.head()).rejects.toSatisfy(withCode('log_gap'))
    await expect(log.openWriter()).rejects.toSatisfy(withCode('log_gap'))
    await expect(readAll(log)).rejects.toSatisfy(withCode('log_gap'))
  })

  /** Writes what our writer would not. */
  async function produce(topic: string, records: readonly WireRecord[]): Promise<void> {
    const client = new KafkaClient(testOptions(brokers))
    const transaction = await client.initProducer(`${topic}.other`, 10_000)
    await client.beginTransaction(topic, transaction)
    const batch = new BatchWriter(1_000)
    for (const record of records) batch.add(record)
    const data = batch.finish({ ...transaction, firstSequence: 0, compression: 'none' })
    await client.produce({ topic, transactionalId: transaction.transactionalId, batch: data, timeoutMs: 10_000 })
    await client.commitTransaction(transaction)
    // Its abort has nothing to abort, but is answered only after the commit is done.
    while ((await client.offsetAt(topic, 'stable')) < (await client.offsetAt(topic, 'latest')));
    client.close()
  }

  const wires = (sequence: number, bytes: number): WireRecord[] => {
    const record = logRecord(sequence, { value: Buffer.alloc(bytes, sequence) })
    return wireRecordsOf({ record, value: record.value, sequence, producerVersion: '0', partBytesMax: 1_000 })
  }

  it.each([
    ['log_gap', 'an event is missing', () => [...wires(1, 10), ...wires(3, 10)]],
    ['log_damaged', 'an event comes twice', () => [...wires(1, 10), ...wires(2, 10), ...wires(2, 20), ...wires(3, 10)]],
    ['log_damaged', 'the last part of an event is missing', () => [...wires(1, 2_500).slice(0, 2), ...wires(2, 10)]],
    ['log_damaged', 'a part in the middle is missing', () => wires(1, 2_500).filter((_, index) => index !== 1)],
    [
      'log_damaged',
      'a part is another one',
      () => [...wires(1, 2_500).slice(0, 2), { ...wires(1, 2_500)[2]!, value: Buffer.from('x') }],
    ],
    ['log_damaged', 'a record has no headers', () => [{ ...wires(1, 10)[0]!, headers: [] }]],
    [
      'log_damaged',
      'a type is none of ours',
      () => [
        {
          ...wires(1, 10)[0]!,
          headers: [
            ['sequence', '1'],
            ['time-ns', '1'],
            ['event-type', 'Other'],
          ] as const,
        },
      ],
    ],
    [
      'log_damaged',
      'a time is missing',
      () => [
        {
          ...wires(1, 10)[0]!,
          headers: [
            ['sequence', '1'],
            ['event-type', 'BlockRecorded'],
          ] as const,
        },
      ],
    ],
  ] as const)('stops with %s when %s', async (code, _, records) => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    await ensureTopic(options)
    await produce(options.topic, records())
    await expect(readAll(log)).rejects.toSatisfy(withCode(code))
  })

  it('catches up 200,000 events with bounded memory, alone and as one of three', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    const writer = await log.openWriter()
    const value = Buffer.alloc(200, 'an event')
    for (let sent = 0; sent < 200_000; sent += 10_000)
      await writer.append([Array.from({ length: 10_000 }, (_, index) => logRecord(sent + index + 1, { value }))])
    // The events alone are 40 MB, and some 200 MB as objects: who kept them would die of that heap.
    for (const [readers, heapMiB] of [
      [1, 40],
      [3, 80],
    ] as const) {
      const args = [brokers.join(','), options.topic, String(readers)]
      const child = new Child('reader-child.ts', args, [`--max-old-space-size=${heapMiB}`])
      const { counts, grownMiB } = (await child.line()) as { counts: number[]; grownMiB: number }
      expect(counts).toEqual(Array.from({ length: readers }, () => 200_000))
      expect(grownMiB).toBeLessThan(100 + 80 * readers)
      expect({ exit: await child.exit, stderr: child.stderr }).toEqual({ exit: { code: 0, signal: null }, stderr: '' })
    }
  }, 120_000)

  it('shows the usual lag tools how far it is', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    const writer = await log.openWriter()
    for (let block = 0; block < 10; block++)
      await writer.append([Array.from({ length: 9 }, (_, index) => logRecord(block * 9 + index + 1))])
    const groupId = `${options.topic}-group`
    const committed = async () =>
      withAdmin(
        async (admin) => (await admin.fetchOffsets({ groupId, topics: [options.topic] }))[0]!.partitions[0]!.offset,
      )
    const offsets: string[] = []
    // A broker that has just started knows its groups a moment later.
    await vi.waitFor(() => log.reportProgress(groupId, 0), { timeout: 20_000, interval: 100 })
    for (const position of [0, 8, 9, 45, 90, 18]) {
      await log.reportProgress(groupId, position)
      offsets.push(await committed())
    }
    // The event 1 is next, the event 9, then the one behind the first marker; at the end nothing is left.
    expect(offsets).toEqual(['0', '8', '10', '50', '100', '20'])
    await withAdmin((admin) => admin.deleteGroups([groupId]))
  })

  it('is not disturbed by progress that the brokers refuse to note down', async () => {
    const options = testOptions(brokers)
    const log = logs.open(options)
    await (await log.openWriter()).append([[logRecord(1)]])
    // Only its members may report for a group that has some.
    const groupId = `${options.topic}-members`
    const member = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).consumer({
      groupId,
    })
    await member.connect()
    await member.subscribe({ topic: options.topic })
    const joined = new Promise((resolve) => member.on(member.events.GROUP_JOIN, resolve))
    await member.run({ eachMessage: async () => {} })
    await joined
    const refused: unknown[] = []
    for (let round = 0; round < 5; round++) {
      const report = log.reportProgress(groupId, 1).catch((error: unknown) => refused.push(error))
      for (let asked = 0; asked < 20; asked++) expect((await log.head()).sequence).toBe(1)
      await report
    }
    expect(refused).toHaveLength(5)
    await member.disconnect()
    await withAdmin((admin) => admin.deleteGroups([groupId]))
  })

  it('ends at once, also while it waits, when the log is closed', async () => {
    const log = logs.open(testOptions(brokers))
    const writer = await log.openWriter()
    await writer.append([[logRecord(1)]])
    const read = log.read({ after: 0, countMax: 10, bytesMax: 1 << 20, follow: true })[Symbol.asyncIterator]()
    expect((await read.next()).value.head).toBe(1)
    const waiting = read.next()
    await log.close()
    await expect(waiting).rejects.toSatisfy(withCode('log_unavailable'))
  })

  it('leaves nobody waiting who began while the log was being closed', async () => {
    const options = testOptions(brokers)
    await (await logs.open(options).openWriter()).append([[logRecord(1)]])
    const log = logs.open(options)
    const following = log.read({ after: 1, countMax: 10, bytesMax: 1 << 20, follow: true })[Symbol.asyncIterator]()
    const begun = Promise.allSettled([following.next(), log.openWriter()])
    await log.close()
    for (const each of await begun)
      expect(each).toSatisfy(({ reason }: PromiseRejectedResult) => isLedgerError(reason, 'log_unavailable'))
  })

  it('sees an append within milliseconds', async () => {
    const log = logs.open(testOptions(brokers))
    const writer = await log.openWriter()
    const read = log.read({ after: 0, countMax: 10, bytesMax: 1 << 20, follow: true })[Symbol.asyncIterator]()
    const delaysMs: number[] = []
    for (let sequence = 1; sequence <= 30; sequence++) {
      const next = read.next()
      await writer.append([[logRecord(sequence)]])
      const appended = performance.now()
      expect((await next).value).toMatchObject({ head: sequence, records: [{ sequence }] })
      delaysMs.push(performance.now() - appended)
    }
    await read.return?.()
    expect(delaysMs.sort((a, b) => a - b)[15]).toBeLessThan(100)
  })
})
