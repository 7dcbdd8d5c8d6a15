import type Broker from 'kafkajs/src/broker/index.js'
import Cluster from 'kafkajs/src/cluster/index.js'
import { createLogger } from 'kafkajs/src/loggers/index.js'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { hasType, translated } from '#src/adapters/kafka/errors.ts'
import type { KafkaConnectionOptions } from '#src/adapters/kafka/options.ts'
import {
  type FetchAnswer,
  type FetchOptions,
  fetchRequest,
  type ProduceAnswer,
  type ProduceOptions,
  produceRequest,
} from '#src/adapters/kafka/requests.ts'
import { forKafkajs, Sockets } from '#src/adapters/kafka/sockets.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'

/*
 * All that is used of kafkajs is here and in requests.ts: connections, their encryption and authentication, the metadata of the
 * cluster, and the encoding of small requests. Its consumers and its producer are not: see docs/decisions/0007-kafka-client.md.
 */

// After each answer kafkajs sets a timer for requests that wait in its queue, also when none does; the time is then -1 minus
// the clock, for which Node 24 warns. No timer is needed where nothing waits.
const scheduleCheck = RequestQueue.prototype.scheduleCheckPendingRequests
RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded(this: RequestQueue): void {
  if (this.pending.length > 0) scheduleCheck.call(this)
}

export type Transaction = {
  readonly transactionalId: string
  readonly producerId: bigint
  readonly producerEpoch: number
}

/** A place in the topic: its first record, behind its last replicated one, behind its last decided one, or a time. */
export type OffsetAt = 'earliest' | 'latest' | 'stable' | { readonly timeMs: number }

const coordinatorOfTransactions = 1
const coordinatorOfGroups = 0
const metadataAgeMsMax = 300_000
const retryTimeMs = 30
const retryTimeMsMax = 300
/** Answers after which the connections and what we know of the cluster are as good as before. */
const harmlessTypes = ['CONCURRENT_TRANSACTIONS', 'OFFSET_OUT_OF_RANGE', 'TOPIC_ALREADY_EXISTS'] as const

interface Session {
  readonly cluster: Cluster
  readonly sockets: Sockets
}

/**
 * A connection to the cluster for requests about one partition, the topic's only one. Requests are answered one after the other,
 * so whoever waits long for an answer needs a client of its own. After a failure everything is forgotten, and the next request
 * connects anew. Errors are `log_unavailable`, or `config_invalid` where trying again is no use.
 */
export class KafkaClient {
  readonly #options: KafkaConnectionOptions
  #session: Promise<Session> | undefined
  #sockets: Sockets | undefined
  readonly #brokers = new Map<string, Promise<Broker>>()
  #closed = false

  constructor(options: KafkaConnectionOptions) {
    this.#options = options
  }

  get closed(): boolean {
    return this.#closed
  }

  /** At once: requests in flight are rejected. */
  close(): void {
    this.#closed = true
    this.#forget()
  }

  /** Records of decided transactions from an offset on. */
  fetch(options: FetchOptions): Promise<FetchAnswer> {
    return this.#run(`reading from topic ${options.topic}`, async () => {
      const leader = await this.#leader(options.topic)
      for (;;) {
        const answer = await leader.connectionPool.send<FetchAnswer | undefined>(fetchRequest(options))
        if (answer) return answer
      }
    })
  }

  /** -1 where no record has this time or a later one. */
  offsetAt(topic: string, at: OffsetAt): Promise<number> {
    return this.#run(`asking for an offset of topic ${topic}`, async () => {
      const leader = await this.#leader(topic)
      const timestamp = at === 'earliest' ? -2 : typeof at === 'string' ? -1 : at.timeMs
      const isolationLevel = at === 'latest' ? 0 : 1
      const topics = [{ topic, partitions: [{ partition: 0, timestamp: String(timestamp) }] }]
      const { responses } = await leader.listOffsets({ replicaId: -1, isolationLevel, topics })
      return Number(responses[0]!.partitions[0]!.offset)
    })
  }

  /** Ends what another producer with this id has begun, and takes the right to write away from it. */
  initProducer(transactionalId: string, transactionTimeoutMs: number): Promise<Transaction> {
    return this.#run('registering as writer', async () => {
      const coordinator = await this.#coordinator(transactionalId, coordinatorOfTransactions)
      const request = { transactionalId, transactionTimeout: transactionTimeoutMs }
      const { producerId, producerEpoch } = await coordinator.initProducerId(request)
      return { transactionalId, producerId: BigInt(producerId), producerEpoch }
    })
  }

  beginTransaction(topic: string, transaction: Transaction): Promise<void> {
    return this.#run('beginning a transaction', async () => {
      const coordinator = await this.#coordinator(transaction.transactionalId, coordinatorOfTransactions)
      await coordinator.addPartitionsToTxn({ ...asText(transaction), topics: [{ topic, partitions: [0] }] })
    })
  }

  produce(options: ProduceOptions): Promise<ProduceAnswer> {
    return this.#run(`writing to topic ${options.topic}`, async () => {
      const leader = await this.#leader(options.topic)
      return leader.connectionPool.send<ProduceAnswer>(produceRequest(options))
    })
  }

  commitTransaction(transaction: Transaction): Promise<void> {
    return this.#run('committing a transaction', async () => {
      const coordinator = await this.#coordinator(transaction.transactionalId, coordinatorOfTransactions)
      await coordinator.endTxn({ ...asText(transaction), transactionResult: true })
    })
  }

  commitGroupOffset(groupId: string, topic: string, offset: number): Promise<void> {
    return this.#run(`reporting the progress of group ${groupId}`, async () => {
      const coordinator = await this.#coordinator(groupId, coordinatorOfGroups)
      const topics = [{ topic, partitions: [{ partition: 0, offset: String(offset), metadata: '' }] }]
      await coordinator.offsetCommit({ groupId, groupGenerationId: -1, memberId: '', retentionTime: -1, topics })
    })
  }

  removeGroup(groupId: string): Promise<boolean> {
    return this.#run(`removing group ${groupId}`, async () => {
      const coordinator = await this.#coordinator(groupId, coordinatorOfGroups)
      try {
        await coordinator.deleteGroups([groupId])
        return true
      } catch (error) {
        if (hasType(error, 'GROUP_ID_NOT_FOUND')) return false
        throw error
      }
    })
  }

  /** Replicas of each partition; undefined when there is no such topic. */
  async findPartitions(topic: string): Promise<readonly (readonly number[])[] | undefined> {
    return this.#run(`asking for topic ${topic}`, async () => {
      const { cluster } = await this.#open()
      try {
        await cluster.addMultipleTargetTopics([topic])
      } catch (error) {
        if (hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) return undefined
        throw error
      }
      return cluster.findTopicPartitionMetadata(topic).map(({ replicas }) => replicas)
    })
  }

  /** All that we may see. */
  listTopics(): Promise<readonly string[]> {
    return this.#run('asking for the topics', async () => {
      const { cluster } = await this.#open()
      const { topicMetadata } = await cluster.metadata({ topics: [] })
      return topicMetadata.map(({ topic }) => topic)
    })
  }

  /** Runs an administrator's request on the broker that takes it. */
  administer<T>(doing: string, request: (broker: Broker) => Promise<T>): Promise<T> {
    return this.#run(doing, async () => {
      const { cluster } = await this.#open()
      // A target topic makes kafkajs load the metadata that names the controller; none means all topics.
      await cluster.addMultipleTargetTopics([])
      return request(await cluster.findControllerBroker())
    })
  }

  async #run<T>(doing: string, request: () => Promise<T>): Promise<T> {
    const before = this.#session
    try {
      return await request()
    } catch (error) {
      if (!hasType(error, ...harmlessTypes) && (before === undefined || this.#session === before)) this.#forget()
      if (this.#closed) throw new LedgerError('log_unavailable', 'The connection to Kafka was closed', {}, error)
      throw translated(error, this.#options, doing)
    }
  }

  #forget(): void {
    this.#sockets?.close()
    this.#sockets = undefined
    this.#session = undefined
    this.#brokers.clear()
  }

  #leader(topic: string): Promise<Broker> {
    return this.#remembered(`leader of ${topic}`, async () => {
      const { cluster } = await this.#open()
      await cluster.addMultipleTargetTopics([topic])
      const leader = cluster.findTopicPartitionMetadata(topic)[0]?.leader
      if (leader === undefined || leader < 0) throw new Error(`topic ${topic} has no leader at the moment`)
      const broker = await cluster.findBroker({ nodeId: leader })
      // kafkajs keeps a second connection for fetches, and would open it twice for two fetches at once.
      await broker.connectionPool.getConnection(1)
      return broker
    })
  }

  #coordinator(id: string, coordinatorType: number): Promise<Broker> {
    return this.#remembered(`coordinator ${coordinatorType} of ${id}`, async () => {
      const { cluster } = await this.#open()
      await cluster.addMultipleTargetTopics([])
      return cluster.findGroupCoordinator({ groupId: id, coordinatorType })
    })
  }

  #remembered(name: string, find: () => Promise<Broker>): Promise<Broker> {
    const known = this.#brokers.get(name)
    if (known) return known
    const found = find()
    this.#brokers.set(name, found)
    // Its failure is the caller's; here it must only not be remembered.
    found.catch(() => {
      if (this.#brokers.get(name) === found) this.#brokers.delete(name)
    })
    return found
  }

  #open(): Promise<Session> {
    if (this.#closed) throw new LedgerError('log_unavailable', 'The connection to Kafka was closed')
    this.#session ??= this.#connect()
    return this.#session
  }

  async #connect(): Promise<Session> {
    const sockets = new Sockets()
    this.#sockets = sockets
    const cluster = new Cluster(clusterOptions(this.#options, sockets))
    await cluster.connect()
    return { cluster, sockets }
  }
}

function asText({ producerId, ...rest }: Transaction): object {
  return { ...rest, producerId: String(producerId) }
}

function clusterOptions(options: KafkaConnectionOptions, sockets: Sockets): object {
  const { brokers, clientId, tls, sasl, requestTimeoutMs, connectTimeoutMs, logger } = options
  return {
    logger: createLogger({ level: kafkajsLevels.warn, logCreator: () => (entry) => log(logger, entry) }),
    socketFactory: sockets.connect,
    brokers: brokers.map(forKafkajs),
    clientId,
    ...(tls ? { ssl: { ca: tls.ca, cert: tls.cert, key: tls.key } } : {}),
    // A copy, since kafkajs keeps state in it.
    ...(sasl ? { sasl: { ...sasl } } : {}),
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    enforceRequestTimeout: true,
    metadataMaxAge: metadataAgeMsMax,
    allowAutoTopicCreation: false,
    maxInFlightRequests: null,
    // Enough to try each broker; waiting for an absent cluster is the caller's business.
    retry: { initialRetryTime: retryTimeMs, maxRetryTime: retryTimeMsMax, retries: Math.max(brokers.length, 3) },
  }
}

const kafkajsLevels = { error: 1, warn: 2 } as const

/** kafkajs calls errors what passes on the next attempt. What matters also rejects a request, and whoever made it says so. */
function log(logger: Logger, { level, log: { message, broker, error } }: LogEntry): void {
  const fields = { reason: String(message), broker, error }
  if (level === kafkajsLevels.warn) logger.warn(fields, 'the Kafka client warns')
  else logger.debug(fields, 'an attempt of the Kafka client failed')
}

interface LogEntry {
  readonly level: number
  readonly log: Readonly<Record<string, unknown>>
}
