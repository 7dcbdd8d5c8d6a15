import { join } from 'node:path'
import { type Engines, enginesOf, type Stores } from '#src/cli/engines.ts'
import { loadConfig } from '#src/config/load.ts'
import type { Config } from '#src/config/schema.ts'
import type { OutputName } from '#src/events/event-types.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

export const inMemory = ':memory:'

/** Where one deployment keeps its log and its rows, in words that a command line can carry. */
export interface Place {
  /** Data folder of what is embedded; `inMemory` for what ends with whoever opened it. */
  readonly data: string
  readonly kafka?: { readonly brokers: string; readonly prefix: string }
  readonly mongodb?: { readonly uri: string; readonly database: string }
  /** More flags, as `loadConfig` takes them. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Flags that lead any process of ours there. */
export function flagsOf(place: Place): Record<string, string> {
  const { data, kafka, mongodb, settings = {} } = place
  return {
    data,
    ...(kafka && { log: 'kafka', 'kafka-brokers': kafka.brokers, 'kafka-topic-prefix': kafka.prefix }),
    ...(mongodb && { store: 'mongodb', 'mongodb-uri': mongodb.uri, 'mongodb-database': mongodb.database }),
    ...settings,
  }
}

/** The same as arguments of the program. */
export function argumentsOf(place: Place): string[] {
  return Object.entries(flagsOf(place)).flatMap(([name, value]) => [`--${name}`, value])
}

/** What the configuration says when nobody says anything. */
export const defaultConfig = configOf({})

export function configOf(flags: Readonly<Record<string, string>>): Config {
  return loadConfig({ flags, environment: {}, file: undefined }).config
}

/** The engines as the product itself composes them. */
export function enginesAt(place: Place): Engines {
  const { data } = place
  const folder =
    data === inMemory
      ? { log: inMemory, store: inMemory, decisions: inMemory }
      : { log: join(data, 'log'), store: join(data, 'store'), decisions: join(data, 'decisions') }
  return enginesOf(configOf(flagsOf(place)), folder, silentLogger)
}

export interface OpenPlace extends Stores {
  readonly log: MessageLog
  /** What a read model publishes there; whoever opens it closes it. */
  openOutput(topic: OutputName, use: 'read' | 'write'): Promise<MessageLog>
}

/** Opens what the product itself would open there, and closes it afterwards. */
export async function withPlace<T>(place: Place, use: (opened: OpenPlace) => Promise<T>): Promise<T> {
  const engines = enginesAt(place)
  const stores = await engines.openStores()
  try {
    const log = await engines.openLog(1)
    try {
      return await use({ ...stores, log, openOutput: (topic, mode) => engines.openLog(1, mode, topic) })
    } finally {
      await log.close()
    }
  } finally {
    await stores.close()
  }
}

/** Removes what a place left on shared services. */
export async function clearPlace(place: Place): Promise<void> {
  if (place.kafka) await enginesAt(place).removeLog(1)
  if (!place.mongodb) return
  const { MongoClient } = await import('mongodb')
  const client = await MongoClient.connect(place.mongodb.uri)
  await client.db(place.mongodb.database).dropDatabase()
  await client.close()
}
