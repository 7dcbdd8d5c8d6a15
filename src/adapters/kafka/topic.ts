import { setTimeout as sleep } from 'node:timers/promises'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import { hasType } from '#src/adapters/kafka/errors.ts'
import type { KafkaConnectionOptions, KafkaTopicOptions } from '#src/adapters/kafka/options.ts'
import { LedgerError } from '#src/domain/errors.ts'

const topicResource = 2
const int64Max = '9223372036854775807'
/** A batch's own header, and what incompressible data grows by. */
const messageBytesReserve = 65_536
const pollMs = 20
const readableCompressions = new Set(['producer', 'zstd', 'gzip', 'uncompressed'])

interface Setting {
  readonly name: string
  readonly value: string
  readonly fits: (found: string) => boolean
}

export type TopicOptions = KafkaConnectionOptions & KafkaTopicOptions

/**
 * Creates the topic when it is missing, and refuses one under whose settings events could get lost, reordered or renamed:
 * `log_misconfigured` names each wrong setting with the command that sets it right. Closes the client at the end.
 */
export async function ensureTopic(options: TopicOptions, client = new KafkaClient(options)): Promise<void> {
  try {
    const found = await client.findPartitions(options.topic)
    if (!found) await createTopic(client, options)
    await checkTopic(client, options, found ?? (await awaitTopic(client, options)))
  } finally {
    client.close()
  }
}

/** Whether the topic is there; refuses one that is not fit, as above. Creates nothing. */
export async function findTopic(options: TopicOptions, client: KafkaClient): Promise<boolean> {
  try {
    const found = await client.findPartitions(options.topic)
    if (found) await checkTopic(client, options, found)
    return found !== undefined
  } finally {
    client.close()
  }
}

/** The names of all topics that these credentials may see. */
export async function listTopics(options: KafkaConnectionOptions): Promise<readonly string[]> {
  const client = new KafkaClient(options)
  try {
    return await client.listTopics()
  } finally {
    client.close()
  }
}

/** Whether the topic is there, fit or not. Creates nothing. */
export async function hasTopic(options: KafkaConnectionOptions & { readonly topic: string }): Promise<boolean> {
  const client = new KafkaClient(options)
  try {
    return (await client.findPartitions(options.topic)) !== undefined
  } finally {
    client.close()
  }
}

/** For tests, and for a generation of the log that is no longer read. Succeeds when there is none. */
export async function removeTopic(options: KafkaConnectionOptions & { readonly topic: string }): Promise<void> {
  const client = new KafkaClient(options)
  const { topic, requestTimeoutMs } = options
  try {
    await client.administer(`deleting topic ${topic}`, (broker) =>
      broker.deleteTopics({ topics: [topic], timeout: requestTimeoutMs }),
    )
  } catch (error) {
    if (!hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) throw error
  } finally {
    client.close()
  }
}

/** Removes a consumer group with its offsets; resolves to false where there is none. */
export async function removeGroup(options: KafkaConnectionOptions & { readonly group: string }): Promise<boolean> {
  const client = new KafkaClient(options)
  try {
    return await client.removeGroup(options.group)
  } finally {
    client.close()
  }
}

function settingsOf({ batchBytesMax, minInsyncReplicas }: KafkaTopicOptions): readonly Setting[] {
  const exactly = (name: string, value: string): Setting => ({ name, value, fits: (found) => found === value })
  const atLeast = (name: string, value: number, least: number): Setting => ({
    name,
    value: String(value),
    fits: (found) => Number(found) >= least,
  })
  return [
    exactly('cleanup.policy', 'delete'),
    exactly('retention.ms', '-1'),
    exactly('retention.bytes', '-1'),
    exactly('message.timestamp.type', 'CreateTime'),
    exactly('message.timestamp.before.max.ms', int64Max),
    exactly('message.timestamp.after.max.ms', int64Max),
    exactly('unclean.leader.election.enable', 'false'),
    // Others are compressed again by the broker, in a way that we cannot read.
    { name: 'compression.type', value: 'producer', fits: (found) => readableCompressions.has(found) },
    atLeast('max.message.bytes', Math.max(batchBytesMax, 1_048_588) + messageBytesReserve, batchBytesMax + 1_024),
    ...(minInsyncReplicas ? [atLeast('min.insync.replicas', minInsyncReplicas, minInsyncReplicas)] : []),
  ]
}

async function createTopic(client: KafkaClient, options: TopicOptions): Promise<void> {
  const { topic, replicationFactor, requestTimeoutMs } = options
  const configEntries = settingsOf(options).map(({ name, value }) => ({ name, value }))
  const created = { topic, numPartitions: 1, replicationFactor: replicationFactor ?? -1, configEntries }
  try {
    await client.administer(`creating topic ${topic}`, (broker) =>
      broker.createTopics({ topics: [created], timeout: requestTimeoutMs }),
    )
    options.logger.info({ topic, replicationFactor }, 'topic created')
  } catch (error) {
    // Another process was faster.
    if (!hasType(error, 'TOPIC_ALREADY_EXISTS')) throw error
  }
}

type Partitions = readonly (readonly number[])[]

/** What is answered of a topic that was created a moment ago, until every broker knows it and one of them leads it. */
const newTopicTypes = ['LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION', 'UNKNOWN_TOPIC_OR_PARTITION'] as const

/** Brokers learn of a topic one after the other: who leads it may know it before the one that tells its settings. */
async function awaitTopic(client: KafkaClient, options: TopicOptions): Promise<Partitions> {
  const { topic } = options
  const partitions = await untilKnown(options, async () => {
    const found = await client.findPartitions(topic)
    if (found) await client.offsetAt(topic, 'earliest')
    return found
  })
  await untilKnown(options, () => findSettings(client, topic))
  return partitions
}

async function untilKnown<T>({ topic, requestTimeoutMs }: TopicOptions, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + requestTimeoutMs
  for (;;) {
    try {
      const found = await ask()
      if (found !== undefined) return found
    } catch (error) {
      if (!hasType(error, ...newTopicTypes)) throw error
    }
    if (performance.now() > deadline)
      throw new LedgerError('log_unavailable', `Topic ${topic} was created, but no broker knows it`)
    await sleep(pollMs)
  }
}

async function checkTopic(client: KafkaClient, options: TopicOptions, partitions: Partitions): Promise<void> {
  const { topic, brokers, replicationFactor } = options
  const problems: string[] = []
  if (partitions.length !== 1)
    problems.push(`it has ${partitions.length} partitions instead of 1, so that it has no order; use another topic`)
  const replicas = partitions[0]?.length ?? 0
  if (replicationFactor && replicas < replicationFactor)
    problems.push(
      `it has ${replicas} replicas instead of ${replicationFactor}; add some with kafka-reassign-partitions`,
    )
  const found = await findSettings(client, topic)
  const wrong = settingsOf(options).filter(({ name, fits }) => found.has(name) && !fits(found.get(name)!))
  problems.push(...wrong.map(({ name, value }) => `${name} is ${found.get(name)} instead of ${value}`))
  if (problems.length === 0) return
  const repair = `kafka-configs --bootstrap-server ${brokers[0]} --alter --entity-type topics --entity-name ${topic} --add-config ${wrong.map(({ name, value }) => `${name}=${value}`).join(',')}`
  const message = `Topic ${topic} cannot hold the log: ${problems.join('; ')}${wrong.length > 0 ? `; set it right with: ${repair}` : ''}`
  throw new LedgerError('log_misconfigured', message, { topic, settings: wrong.map(({ name }) => name) })
}

async function findSettings(client: KafkaClient, topic: string): Promise<ReadonlyMap<string, string>> {
  const { resources } = await client.administer(`asking for the settings of topic ${topic}`, (broker) =>
    broker.describeConfigs({ resources: [{ type: topicResource, name: topic, configNames: [] }] }),
  )
  return new Map(resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]))
}
