import { randomUUID } from 'node:crypto'
import kafkajs from 'kafkajs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import { ensureTopic, removeTopic } from '#src/adapters/kafka/topic.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { describeWithKafka } from '#test/support/services.ts'

describeWithKafka('the topic of a log', ({ brokers }) => {
  const newAdmin = () => new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin()
  let admin = newAdmin()
  let options = testOptions(brokers)
  beforeEach(async () => {
    options = testOptions(brokers)
    // One that was disconnected writes to its old connection.
    admin = newAdmin()
    await admin.connect()
  })
  afterEach(async () => {
    await removeTopic(options)
    await admin.disconnect()
  })

  const good = {
    'cleanup.policy': 'delete',
    'retention.ms': '-1',
    'retention.bytes': '-1',
    'message.timestamp.type': 'CreateTime',
    'message.timestamp.before.max.ms': '9223372036854775807',
    'message.timestamp.after.max.ms': '9223372036854775807',
    'unclean.leader.election.enable': 'false',
    'compression.type': 'producer',
    'max.message.bytes': '2000000',
    'min.insync.replicas': '1',
  }

  async function settings(): Promise<Map<string, string>> {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: options.topic }],
    })
    return new Map(resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]))
  }

  // Whether it has a leader is left to the code under test: the client gives up on a broker that does not know the topic yet.
  const create = (changes: Readonly<Record<string, string>>, numPartitions = 1) =>
    admin.createTopics({
      waitForLeaders: false,
      topics: [
        {
          topic: options.topic,
          numPartitions,
          replicationFactor: 1,
          configEntries: Object.entries({ ...good, ...changes }).map(([name, value]) => ({ name, value })),
        },
      ],
    })

  const refusal = async (): Promise<LedgerError> => {
    const error = await ensureTopic({ ...options, minInsyncReplicas: 1 }).catch((caught: unknown) => caught)
    if (!isLedgerError(error, 'log_misconfigured')) throw error
    return error
  }

  it('is created with one partition that keeps everything under its own time', async () => {
    await ensureTopic({ ...options, replicationFactor: 1, minInsyncReplicas: 1, batchBytesMax: 3_000_000 })
    const found = await settings()
    expect(Object.keys(good).map((name) => [name, found.get(name)])).toEqual(
      Object.entries({ ...good, 'max.message.bytes': '3065536' }),
    )
    const { topics } = await admin.fetchTopicMetadata({ topics: [options.topic] })
    expect(topics[0]!.partitions).toHaveLength(1)
  })

  it('is created once by several processes that start together, and accepted afterwards', async () => {
    await Promise.all([1, 2, 3].map(() => ensureTopic(options)))
    await ensureTopic(options)
  })

  it('is accepted when somebody else created it well', async () => {
    await create({})
    await ensureTopic({ ...options, minInsyncReplicas: 1 })
  })

  it.each([
    ['cleanup.policy', 'compact'],
    ['retention.ms', '604800000'],
    ['retention.bytes', '1073741824'],
    ['message.timestamp.type', 'LogAppendTime'],
    ['message.timestamp.before.max.ms', '3600000'],
    ['message.timestamp.after.max.ms', '3600000'],
    ['unclean.leader.election.enable', 'true'],
    ['max.message.bytes', '500000'],
    ['compression.type', 'lz4'],
  ] as const)('is refused with %s=%s, naming the command that repairs it', async (name, value) => {
    await create({ [name]: value })
    const { message, details } = await refusal()
    expect(details['settings']).toEqual([name])
    expect(message).toContain(`${name} is ${value} instead of `)
    const [, command = '', wanted = ''] = /set it right with: (kafka-configs .*) --add-config (.*)$/.exec(message) ?? []
    expect(command).toBe(
      `kafka-configs --bootstrap-server ${brokers[0]} --alter --entity-type topics --entity-name ${options.topic}`,
    )
    const [, wantedValue = ''] = wanted.split('=')
    const configEntries = Object.entries({ ...good, [name]: wantedValue }).map(([key, text]) => ({
      name: key,
      value: text,
    }))
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: options.topic, configEntries }],
    })
    // A broker learns of it a moment later.
    await vi.waitFor(() => ensureTopic({ ...options, minInsyncReplicas: 1 }))
  })

  it('is refused with all that is wrong at once', async () => {
    await create({ 'retention.ms': '1', 'cleanup.policy': 'compact' }, 3)
    const { message } = await refusal()
    expect(message).toContain('it has 3 partitions instead of 1')
    expect(message).toContain('--add-config cleanup.policy=delete,retention.ms=-1')
  })

  it('is refused with fewer replicas than asked for', async () => {
    await create({})
    const error = await ensureTopic({ ...options, replicationFactor: 3 }).catch((caught: unknown) => caught)
    expect(isLedgerError(error, 'log_misconfigured') && error.message).toContain('it has 1 replicas instead of 3')
  })

  it('is not created under a name that Kafka refuses', async () => {
    const error = await ensureTopic({ ...options, topic: 'no topic' }).catch((caught: unknown) => caught)
    expect(isLedgerError(error, 'config_invalid') && error.message).toContain(
      'cannot create a topic with these settings',
    )
  })

  it('is empty to readers while it is missing, and created by the first writer alone', async () => {
    const log = openKafkaLog(options)
    try {
      expect(await log.head()).toEqual({ sequence: 0, time: undefined })
      expect(await readAll(log)).toEqual([])
      const following = log.read({ after: 0, countMax: 1, bytesMax: 1, follow: true })[Symbol.asyncIterator]()
      const first = following.next()
      expect(await admin.listTopics()).not.toContain(options.topic)
      const writer = await log.openWriter()
      await writer.append([[logRecord(1)]])
      expect((await first).value.records[0].key).toBe('key-1')
      await following.return?.()
    } finally {
      await log.close()
    }
  })

  it('can be removed twice', async () => {
    await ensureTopic(options)
    await removeTopic(options)
    await removeTopic({ ...options, topic: `missing-${randomUUID()}` })
    expect(await admin.listTopics()).not.toContain(options.topic)
  })
})
