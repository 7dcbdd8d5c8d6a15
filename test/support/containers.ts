import { existsSync } from 'node:fs'
import { freePorts } from '../../scripts/services/ports.ts'

export const images = {
  kafka: 'apache/kafka:4.1.1',
  registry: 'apicurio/apicurio-registry-mem:2.6.13.Final',
  mongodb: 'mongo:8.0.15',
} as const

const startupTimeoutMs = 180_000

export interface Containers {
  /** The environment variables by which tests find them. */
  readonly variables: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Whether it pays to ask for an engine at all; the client for it takes a second to load. */
function mayHaveDocker(): boolean {
  return process.env['DOCKER_HOST'] !== undefined || existsSync('/var/run/docker.sock')
}

/**
 * Starts what `wanted` names in containers. Those that don't start are left out and named in `problem`, as is the lack of
 * an engine.
 */
export async function startContainers(
  wanted: readonly (keyof typeof images)[],
): Promise<Containers & { readonly problem: string | undefined }> {
  const none = { variables: {}, stop: async () => {} }
  if (!mayHaveDocker()) return { ...none, problem: 'no Docker engine runs here' }
  const { getContainerRuntimeClient } = await import('testcontainers')
  const engine = await getContainerRuntimeClient().catch((error: unknown) => error)
  if (engine instanceof Error) return { ...none, problem: `Docker does not answer (${engine.message})` }
  const starts = await Promise.allSettled(wanted.map((name) => starters[name]()))
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = starts.flatMap((start, index) =>
    start.status === 'rejected' ? [`${wanted[index]} did not start in Docker (${start.reason})`] : [],
  )
  return {
    variables: Object.assign({}, ...started.map(({ variables }) => variables)),
    stop: async () => {
      await Promise.all(started.map((container) => container.stop()))
    },
    problem: failed.length === 0 ? undefined : failed.join(', '),
  }
}

const starters = { kafka: startKafka, registry: startRegistry, mongodb: startMongo }

async function startKafka(): Promise<Containers> {
  const { GenericContainer, Wait } = await import('testcontainers')
  // Clients are told the address of the broker, so its port outside has to be known before it starts.
  const [port = 0] = await freePorts(1)
  const container = await new GenericContainer(images.kafka)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(startupTimeoutMs)
    .start()
  return { variables: { LEDGER_TEST_KAFKA: `127.0.0.1:${port}` }, stop: () => end(container) }
}

async function startRegistry(): Promise<Containers> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(images.registry)
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp('/apis/ccompat/v7/subjects', 8080))
    .withStartupTimeout(startupTimeoutMs)
    .start()
  const address = `http://${container.getHost()}:${container.getMappedPort(8080)}/apis/ccompat/v7`
  return { variables: { LEDGER_TEST_REGISTRY: address }, stop: () => end(container) }
}

async function startMongo(): Promise<Containers> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(images.mongodb)
    .withExposedPorts(27_017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .withStartupTimeout(startupTimeoutMs)
    .start()
  const uri = `mongodb://${container.getHost()}:${container.getMappedPort(27_017)}/`
  return { variables: { LEDGER_TEST_MONGODB: `mongodb=${uri}` }, stop: () => end(container) }
}

async function end(container: { stop(): Promise<unknown> }): Promise<void> {
  await container.stop()
}
