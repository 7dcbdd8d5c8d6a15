import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { KafkaConnectionOptions } from '#src/adapters/kafka/options.ts'
import { openSqliteContentStore } from '#src/adapters/sqlite/content-store.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { CacheUse } from '#src/adapters/sqlite/reader-caches.ts'
import { hasSqliteLog, removeSqliteLog } from '#src/adapters/sqlite/remove-log.ts'
import { codeVersion, releaseVersion } from '#src/cli/code-version.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { assertPlanKnown } from '#src/cli/lost-plan.ts'
import { embeddedRemains, kafkaRemains, type Remains, type WantedRemains } from '#src/cli/remains.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type PublishedName, type TopicName, topicNames } from '#src/events/event-types.ts'
import { createConfluentFraming, singleObjectFraming, type WireFraming } from '#src/events/framing.ts'
import { decisionsGeneration } from '#src/operations/plan.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { decisionLog } from '#src/runtime/fold/decision-log.ts'
import { openOutputLog } from '#src/runtime/outputs/output-log.ts'

const bytesPerMiB = 1 << 20

export interface Stores {
  readonly readStore: ReadStore
  readonly controlStore: ControlStore
  /** Texts that decisions name by their hash. */
  readonly contentStore: ContentStore
  /** How much of their budget the pages take that readers keep in this process; absent where the engine keeps them. */
  readersCache?(): CacheUse
  close(): Promise<void>
}

/** The log and the stores of one deployment, whichever engines it runs on. Heavy clients are loaded when they are opened. */
export interface Engines {
  /**
   * The log of one generation, from 1, or what is published of it. Who is to write registers the events' schemas where there is a schema registry;
   * rejects with `schema_incompatible` or `registry_unavailable` then. Readers never ask it. Generation 0 stands for the
   * decisions, in the form of a log.
   */
  openLog(generation: number, use?: 'read' | 'write', topic?: TopicName): Promise<MessageLog>
  /** Rejects with `plan_lost` where the plan is gone that tells generations of the log apart, unless `withoutPlan`. */
  openStores(options?: { readonly withoutPlan?: boolean }): Promise<Stores>
  openDecisions(): Promise<DecisionStore>
  /** What a person calls the log of a generation: its topic or folder. */
  logName(generation: number, topic?: TopicName): string
  /** The generations that have a log, ascending, where the log's engine knows; undefined where the plan alone does. */
  listGenerations?(): Promise<readonly number[]>
  /** The generations whose logs lie there, ascending, whatever the plan says. */
  foundGenerations(): Promise<readonly number[]>
  /** Whether the log of a generation is there; opening it would make it. */
  hasLog(generation: number, topic?: TopicName): Promise<boolean>
  /** Removes the log of a generation for good, with what was published of it; without effect where there is none. */
  removeLog(generation: number): Promise<void>
  /** What lies outside plan and rows of a read model that goes for good. */
  remainsOf(wanted: WantedRemains): readonly Remains[]
  /** Removes what is published, to be published anew. Absent on brokers, where subscribers have positions in it and copies mend it. */
  removeOutput?(topic: PublishedName, generation: number): Promise<void>
}

export function enginesOf(
  config: Config,
  folder: Pick<DataFolder, 'log' | 'store' | 'decisions'>,
  logger: Logger,
): Engines {
  const { log, store, decisions } = config.engine
  const openDecisions = async (): Promise<DecisionStore> =>
    decisions === 'eventstoredb'
      ? await openEventStore(config, logger)
      : openSqliteDecisionStore({ folder: folder.decisions })
  const logName = (generation: number, topic: TopicName = 'transactions'): string => {
    if (generation === decisionsGeneration) return 'of decisions'
    return log === 'kafka' ? topicOf(config, generation, topic) : logFolderOf(folder.log, generation, topic)
  }
  const removeOne = async (name: string): Promise<void> => {
    if (log === 'kafka') await removeKafka(config, name, logger)
    else await removeSqliteLog(name)
  }
  const foundGenerations = async (): Promise<readonly number[]> =>
    log === 'kafka' ? listKafka(config, logger) : listFolders(folder.log)
  return {
    logName,
    openDecisions,
    openLog: async (generation, use = 'read', topic = 'transactions') => {
      if (generation === decisionsGeneration) return decisionLog(await openDecisions())
      const name = logName(generation, topic)
      const open = async (): Promise<MessageLog> => {
        if (log !== 'kafka') return openSqliteLog({ folder: name })
        const framing = use === 'write' ? await framingFor(config, name, topic) : singleObjectFraming
        return openKafka(config, name, framing, logger)
      }
      return topic === 'transactions' ? open() : openOutputLog({ topic, name }, open)
    },
    ...(log !== 'kafka' && { removeOutput: (topic, generation) => removeOne(logName(generation, topic)) }),
    ...(log === 'kafka' && { listGenerations: () => listKafka(config, logger) }),
    hasLog: async (generation, topic) =>
      log === 'kafka' ? hasKafka(config, logName(generation, topic), logger) : hasSqliteLog(logName(generation, topic)),
    removeLog: async (generation) => {
      for (const topic of topicNames.toReversed()) await removeOne(logName(generation, topic))
    },
    remainsOf: (wanted) =>
      log === 'kafka'
        ? kafkaRemains(wanted, {
            config,
            connection: () => connectionTo(config, logger),
            topicOf: (generation, output) => topicOf(config, generation, output),
          })
        : embeddedRemains(wanted, (generation, output) => logFolderOf(folder.log, generation, output)),
    foundGenerations,
    openStores: async ({ withoutPlan = false } = {}) => {
      const stores = await (store === 'mongodb' ? openMongo(config, logger) : openEmbedded(folder, config))
      if (withoutPlan) return stores
      try {
        const planIn = store === 'mongodb' ? 'the database' : join(folder.store, 'control.sqlite')
        await assertPlanKnown(stores.controlStore, { list: foundGenerations, nameOf: logName, planIn })
        return stores
      } catch (error) {
        await stores.close()
        throw error
      }
    },
  }
}

function topicOf({ kafka }: Config, generation: number, name = 'transactions'): string {
  const topic = `${kafka.topicPrefix}.${name}`
  return generation === 1 ? topic : `${topic}.g${generation}`
}

/** The reverse; undefined of other topics. */
function generationOfTopic(config: Config, topic: string): number | undefined {
  const first = topicOf(config, 1)
  if (topic === first) return 1
  const generation = Number(topic.slice(`${first}.g`.length))
  return Number.isSafeInteger(generation) && topic === topicOf(config, generation) ? generation : undefined
}

/** In memory there are no folders: each log is one of its own. */
function logFolderOf(folder: string, generation: number, topic: string): string {
  if (folder === ':memory:') return folder
  const log = generation === 1 ? folder : join(folder, `g${generation}`)
  return topic === 'transactions' ? log : join(log, topic)
}

function listFolders(folder: string): number[] {
  if (!existsSync(folder)) return []
  const further = readdirSync(folder).flatMap((name) => /^g(\d+)$/.exec(name)?.[1] ?? [])
  const named = [1, ...further.map(Number)].filter((each) => hasSqliteLog(logFolderOf(folder, each, 'transactions')))
  return named.sort((a, b) => a - b)
}

async function openEmbedded(
  { store: folder, decisions }: Pick<DataFolder, 'store' | 'decisions'>,
  { memory }: Config,
): Promise<Stores> {
  const readStore = openSqliteReadStore({
    folder,
    readersCacheBytes: Math.floor(memory.readersMiB * bytesPerMiB),
    writersCacheBytes: Math.floor(memory.writersMiB * bytesPerMiB),
  })
  const controlStore = openSqliteControlStore({ folder })
  // They go with the decisions: both are what nothing else can give again.
  const contentStore = openSqliteContentStore({ folder: decisions })
  const close = async (): Promise<void> => {
    await readStore.close()
    await controlStore.close()
    await contentStore.close()
  }
  return { readStore, controlStore, contentStore, readersCache: () => readStore.readersCache, close }
}

async function openMongo({ mongodb }: Config, logger: Logger): Promise<Stores> {
  const { openMongoStores } = await import('#src/adapters/mongodb/stores.ts')
  return openMongoStores({
    ...mongodb,
    owner: { host: hostname(), pid: process.pid, codeVersion, process: `${hostname()}:${process.pid}` },
    logger,
  })
}

async function openEventStore({ eventstoredb }: Config, logger: Logger): Promise<DecisionStore> {
  const { openEventStoreDecisions } = await import('#src/adapters/eventstoredb/decision-store.ts')
  const { uri, username, password, ca, timeoutMs } = eventstoredb
  const credentials = username !== null && password !== null ? { username, password } : undefined
  return openEventStoreDecisions({ uri, credentials, caFile: ca ?? undefined, timeoutMs, logger })
}

async function openKafka(config: Config, topic: string, framing: WireFraming, logger: Logger): Promise<MessageLog> {
  const { kafka } = config
  const { openKafkaLog } = await import('#src/adapters/kafka/message-log.ts')
  return openKafkaLog({
    ...kafka,
    ...connectionTo(config, logger),
    topic,
    replicationFactor: kafka.replicationFactor ?? undefined,
    minInsyncReplicas: kafka.minInsyncReplicas ?? undefined,
    // Every event carries it.
    producerVersion: releaseVersion,
    framing,
  })
}

async function framingFor({ registry }: Config, topic: string, name: TopicName): Promise<WireFraming> {
  if (registry.url === null) return singleObjectFraming
  const { openSchemaRegistry } = await import('#src/adapters/registry/schema-registry.ts')
  const { registerEventSchemas } = await import('#src/adapters/registry/register-schemas.ts')
  const opened = openSchemaRegistry({
    url: registry.url,
    ...(registry.username === null ? {} : { username: registry.username }),
    ...(registry.password === null ? {} : { password: registry.password }),
    timeoutMs: registry.timeoutMs,
  })
  return createConfluentFraming(await registerEventSchemas(opened, topic, name))
}

async function listKafka(config: Config, logger: Logger): Promise<readonly number[]> {
  const { listTopics } = await import('#src/adapters/kafka/topic.ts')
  const topics = await listTopics(connectionTo(config, logger))
  return topics.flatMap((topic) => generationOfTopic(config, topic) ?? []).sort((a, b) => a - b)
}

async function hasKafka(config: Config, topic: string, logger: Logger): Promise<boolean> {
  const { hasTopic } = await import('#src/adapters/kafka/topic.ts')
  return hasTopic({ ...connectionTo(config, logger), topic })
}

async function removeKafka(config: Config, topic: string, logger: Logger): Promise<void> {
  const { removeTopic } = await import('#src/adapters/kafka/topic.ts')
  await removeTopic({ ...connectionTo(config, logger), topic })
}

function connectionTo(config: Config, logger: Logger): KafkaConnectionOptions {
  return { ...config.kafka, clientId: clientId(), tls: tlsOf(config), sasl: saslOf(config), logger }
}

function clientId(): string {
  return `ledger-history-${hostname()}-${process.pid}`
}

function saslOf({ kafka }: Config) {
  const { mechanism, username, password } = kafka.sasl
  if (mechanism === 'none') return undefined
  if (username !== null && password !== null) return { mechanism, username, password }
  throw new LedgerError(
    'config_invalid',
    `--kafka-sasl-mechanism ${mechanism} needs --kafka-sasl-username and --kafka-sasl-password`,
  )
}

function tlsOf({ kafka }: Config) {
  const { enabled, ca, cert, key } = kafka.tls
  if (!enabled) return undefined
  return { ca: readPem(ca, 'kafka-tls-ca'), cert: readPem(cert, 'kafka-tls-cert'), key: readPem(key, 'kafka-tls-key') }
}

function readPem(file: string | null, flag: string): string | undefined {
  if (file === null) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const message = `The file ${file} given with --${flag} cannot be read (${(error as Error).message})`
    throw new LedgerError('config_invalid', message, { file }, error)
  }
}
