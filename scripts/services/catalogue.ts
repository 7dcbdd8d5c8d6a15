import { startFerretDb } from './ferretdb.ts'
import { startKafka } from './kafka.ts'
import { startMongoJava } from './mongo-java.ts'
import { startRegistry } from './registry.ts'
import { s3AccessKey, s3SecretKey, startS3 } from './s3.ts'
import type { ServiceOptions } from './service-folder.ts'

export const serviceNames = ['kafka', 'registry', 'mongo-java', 'mongo-java-h2', 'ferretdb', 's3'] as const
export type ServiceName = (typeof serviceNames)[number]

/** What starts unless somebody says which. */
export const defaultServices: readonly ServiceName[] = ['kafka', 'registry', 'mongo-java', 'ferretdb']

/** A service that runs, as it is written down and shown. */
export interface RunningService {
  readonly name: ServiceName
  readonly address: string
  readonly pids: readonly number[]
  readonly folder: string
  readonly logFile: string
}

export interface Stoppable extends RunningService {
  stop(): Promise<void>
}

const starters: Record<ServiceName, (options: ServiceOptions) => Promise<Omit<Stoppable, 'name'>>> = {
  async kafka(options) {
    const kafka = await startKafka(options)
    return {
      address: kafka.bootstrap,
      pids: kafka.pids,
      folder: kafka.folder,
      logFile: kafka.logFile(),
      stop: kafka.stop,
    }
  },
  registry: startRegistry,
  // Tests put some volume into it.
  'mongo-java': (options) => startMongoJava({ ...options, backend: 'memory', heapMb: 1_024 }),
  'mongo-java-h2': (options) => startMongoJava({ ...options, backend: 'h2' }),
  ferretdb: startFerretDb,
  s3: startS3,
}

export async function startService(name: ServiceName, options: ServiceOptions): Promise<Stoppable> {
  const { address, pids, folder, logFile, stop } = await starters[name](options)
  return { name, address, pids, folder, logFile, stop }
}

/** The environment variables by which tests find these services; what they mean is in test/support/services.ts. */
export function testVariables(services: readonly RunningService[]): Record<string, string> {
  const addressOf = (name: ServiceName) => services.find((service) => service.name === name)?.address
  const mongodb = services
    .filter(({ address }) => address.startsWith('mongodb:'))
    .map(({ name, address }) => `${name}=${address}`)
  const s3 = addressOf('s3')
  return {
    ...one('LEDGER_TEST_KAFKA', addressOf('kafka')),
    ...one('LEDGER_TEST_REGISTRY', addressOf('registry')),
    ...one('LEDGER_TEST_MONGODB', mongodb.join(',') || undefined),
    ...one('LEDGER_TEST_S3_ENDPOINT', s3),
    ...(s3 && { LEDGER_TEST_S3_ACCESS_KEY: s3AccessKey, LEDGER_TEST_S3_SECRET_KEY: s3SecretKey }),
  }
}

/**
 * The environment variables by which the product runs on these services; none without a log and a store among them. The
 * registry is one of them: events are framed for good as they are written first.
 */
export function productVariables(services: readonly RunningService[]): Record<string, string> {
  const addressOf = (name: ServiceName) => services.find((service) => service.name === name)?.address
  const kafka = addressOf('kafka')
  const mongodb = addressOf('mongo-java') ?? addressOf('mongo-java-h2') ?? addressOf('ferretdb')
  if (kafka === undefined || mongodb === undefined) return {}
  return {
    LEDGER_ENGINE_LOG: 'kafka',
    LEDGER_KAFKA_BROKERS: kafka,
    LEDGER_ENGINE_STORE: 'mongodb',
    LEDGER_MONGODB_URI: mongodb,
    ...one('LEDGER_REGISTRY_URL', addressOf('registry')),
  }
}

function one(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}
