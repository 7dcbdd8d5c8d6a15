import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installJars } from './install.ts'
import { makeCertificates } from './kafka-certificates.ts'
import {
  type BrokerPlace,
  brokerProperties,
  type KafkaSecurity,
  type KafkaUser,
  scramMechanisms,
} from './kafka-properties.ts'
import { knownBrokers } from './kafka-ready.ts'
import { freePorts } from './ports.ts'
import { requireTools, runTool } from './run-tool.ts'
import { openServiceFolder, type ServiceOptions } from './service-folder.ts'
import { ServiceProcess } from './service-process.ts'

const version = '4.1.1'
/** Name of its folder in the cache. */
export const kafkaInstallation = `kafka-${version}`
const readyWithinMs = 120_000
const formatTimeoutMs = 60_000

export interface KafkaOptions extends Omit<ServiceOptions, 'port'> {
  /** Port of the first broker for its clients; unless given, a free one. */
  readonly port?: number
  /** With 3, topics get three replicas, of which two have to be in sync. */
  readonly brokers?: 1 | 3
  /** Clients have to use TLS; `authorityFile` of the result is what they trust. */
  readonly tls?: boolean
  /** Clients have to give this user, by SCRAM-SHA-256, SCRAM-SHA-512 or PLAIN. */
  readonly sasl?: KafkaUser
  /** More lines for `server.properties`, such as `message.max.bytes`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Largest heap of each broker, in MiB. */
  readonly heapMb?: number
}

/** A running cluster. Brokers are counted from 1. */
export interface LocalKafka {
  /** `host:port` of every broker, separated by commas. */
  readonly bootstrap: string
  readonly folder: string
  /** PEM file of the authority that signed the brokers' certificates, with TLS. */
  readonly authorityFile: string | undefined
  /** Processes that run at this moment. */
  readonly pids: readonly number[]
  logFile(broker?: number): string
  /** As a power failure would. */
  kill(broker?: number): Promise<void>
  signal(signal: NodeJS.Signals, broker?: number): void
  /** Starts the broker again on the same ports and data; resolves when it is ready. */
  restart(broker?: number): Promise<void>
  /** Ends all brokers and removes the folder if it was a temporary one. */
  stop(): Promise<void>
}

/** Starts Kafka in KRaft mode; resolves when every broker knows every other. */
export async function startKafka(options: KafkaOptions = {}): Promise<LocalKafka> {
  requireTools('Kafka', ['java'])
  const jars = join(await installJars(kafkaInstallation, artifacts), 'lib', '*')
  const folder = openServiceFolder('kafka', options)
  const started: ServiceProcess[] = []
  const stop = async () => {
    // At once: the last of three brokers would wait in vain for the others to hand over to.
    await Promise.all(started.map((broker) => broker.stop()))
    await folder.remove()
  }
  try {
    const places = await placesOf(folder.path, options)
    const security = await securityOf(folder.path, options)
    await formatAll(jars, places, security, options)
    const starts = await Promise.allSettled(
      places.map(async (place) => {
        started[place.id - 1] = await startBroker(jars, place, options)
      }),
    )
    const failed = starts.find((start) => start.status === 'rejected')
    if (failed) throw failed.reason
    await waitForEachOther(places)
    return {
      bootstrap: places.map(({ clientPort }) => `127.0.0.1:${clientPort}`).join(','),
      folder: folder.path,
      authorityFile: security.tls?.authorityFile,
      get pids() {
        return started.flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
      },
      logFile: (broker = 1) => brokerOf(started, broker).logFile,
      kill: (broker = 1) => brokerOf(started, broker).kill(),
      signal: (signal, broker = 1) => brokerOf(started, broker).signal(signal),
      restart: (broker = 1) => brokerOf(started, broker).restart(),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const artifacts = [
  `org.apache.kafka:kafka_2.13:${version}`,
  `org.apache.kafka:kafka-tools:${version}`,
  'org.slf4j:slf4j-simple:1.7.36',
]

async function waitForEachOther(places: readonly BrokerPlace[]): Promise<void> {
  const deadline = Date.now() + readyWithinMs
  for (const { id, internalPort } of places) {
    while ((await knownBrokers(internalPort)).length < places.length) {
      if (Date.now() > deadline) throw new Error(`broker ${id} did not find the others in ${readyWithinMs / 1000} s`)
      await sleep(100)
    }
  }
}

function brokerOf(started: readonly ServiceProcess[], broker: number): ServiceProcess {
  const found = started[broker - 1]
  if (!found) throw new Error(`there is no broker ${broker}, only 1 to ${started.length}`)
  return found
}

async function placesOf(folder: string, { brokers = 1, port }: KafkaOptions): Promise<BrokerPlace[]> {
  const ports = await freePorts(3 * brokers)
  return Array.from({ length: brokers }, (_, index) => {
    const [clientPort = 0, internalPort = 0, controllerPort = 0] = ports.slice(3 * index)
    return {
      id: index + 1,
      folder: join(folder, `broker-${index + 1}`),
      clientPort: index === 0 ? (port ?? clientPort) : clientPort,
      internalPort,
      controllerPort,
    }
  })
}

async function securityOf(folder: string, { tls = false, sasl }: KafkaOptions): Promise<KafkaSecurity> {
  return { ...(tls && { tls: await makeCertificates(folder) }), ...(sasl && { sasl }) }
}

async function formatAll(
  jars: string,
  places: readonly BrokerPlace[],
  security: KafkaSecurity,
  { settings = {} }: KafkaOptions,
): Promise<void> {
  const cluster = newClusterId()
  const { sasl } = security
  const users = sasl
    ? scramMechanisms.flatMap((name) => ['--add-scram', `${name}=[name=${sasl.username},password=${sasl.password}]`])
    : []
  for (const place of places) {
    mkdirSync(place.folder, { recursive: true })
    const file = join(place.folder, 'server.properties')
    writeFileSync(file, brokerProperties(place, places, security, settings))
    const format = ['format', '--ignore-formatted', '-t', cluster, '-c', file, ...users]
    await runTool('java', ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-cp', jars, 'kafka.tools.StorageTool', ...format], {
      cwd: place.folder,
      timeoutMs: formatTimeoutMs,
    })
  }
}

/** Kafka's ids are 16 random bytes in base 64; one that begins with a dash would look like an option. */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? newClusterId() : id
}

function startBroker(jars: string, place: BrokerPlace, { lifetime, brokers = 1, heapMb = 512 }: KafkaOptions) {
  return ServiceProcess.start({
    name: brokers === 1 ? 'kafka' : `kafka broker ${place.id}`,
    command: 'java',
    args: [
      `-Xmx${heapMb}m`,
      '-XX:+UseSerialGC',
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
      '-cp',
      jars,
      'kafka.Kafka',
      join(place.folder, 'server.properties'),
    ],
    cwd: place.folder,
    logFile: join(place.folder, 'kafka.log'),
    lifetime: lifetime ?? 'ours',
    isReady: async () => (await knownBrokers(place.internalPort)).includes(place.id),
    readyWithinMs,
  })
}
