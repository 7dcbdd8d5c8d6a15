import { join } from 'node:path'

/** One broker of a local cluster, which is its own controller too. */
export interface BrokerPlace {
  readonly id: number
  readonly folder: string
  /** For clients; what they may do there is up to `security`. */
  readonly clientPort: number
  /** Plain text, between brokers and for asking whether they are ready. */
  readonly internalPort: number
  readonly controllerPort: number
}

export interface KafkaUser {
  readonly username: string
  readonly password: string
}

/** How clients connect. */
export interface KafkaSecurity {
  /** PEM files; undefined for plain text. */
  readonly tls?: { readonly certificateChainFile: string; readonly authorityFile: string }
  /** With it, clients have to give this user, by SCRAM-SHA-256, SCRAM-SHA-512 or PLAIN. */
  readonly sasl?: KafkaUser
}

export const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const

/** The broker's `server.properties`. */
export function brokerProperties(
  place: BrokerPlace,
  all: readonly BrokerPlace[],
  security: KafkaSecurity,
  overrides: Readonly<Record<string, string>>,
): string {
  const replication = String(all.length)
  const inSyncMin = String(Math.min(2, all.length))
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': String(place.id),
    'controller.quorum.voters': all.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(','),
    ...listenerSettings(place, security),
    'log.dirs': join(place.folder, 'data'),
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.num.partitions': '4',
    'share.coordinator.state.topic.num.partitions': '1',
    'offsets.topic.replication.factor': replication,
    'transaction.state.log.replication.factor': replication,
    'share.coordinator.state.topic.replication.factor': replication,
    'default.replication.factor': replication,
    'min.insync.replicas': inSyncMin,
    'transaction.state.log.min.isr': inSyncMin,
    'share.coordinator.state.topic.min.isr': inSyncMin,
    'num.network.threads': '2',
    'num.io.threads': '4',
    // A dead broker's partitions get a new leader after this long.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    'log.cleaner.dedupe.buffer.size': '4194304',
    ...overrides,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

function listenerSettings(
  { clientPort, internalPort, controllerPort }: BrokerPlace,
  { tls, sasl }: KafkaSecurity,
): Record<string, string> {
  const clientProtocol = `${sasl ? 'SASL_' : ''}${tls ? 'SSL' : 'PLAINTEXT'}`
  return {
    listeners: `CLIENT://127.0.0.1:${clientPort},INTERNAL://127.0.0.1:${internalPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `CLIENT://127.0.0.1:${clientPort},INTERNAL://127.0.0.1:${internalPort}`,
    'listener.security.protocol.map': `CLIENT:${clientProtocol},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'INTERNAL',
    ...(tls && {
      'listener.name.client.ssl.keystore.type': 'PEM',
      'listener.name.client.ssl.keystore.location': tls.certificateChainFile,
      'listener.name.client.ssl.truststore.type': 'PEM',
      'listener.name.client.ssl.truststore.location': tls.authorityFile,
    }),
    ...(sasl && saslSettings(sasl)),
  }
}

function saslSettings({ username, password }: KafkaUser): Record<string, string> {
  const security = 'org.apache.kafka.common.security'
  return {
    'listener.name.client.sasl.enabled.mechanisms': [...scramMechanisms, 'PLAIN'].join(','),
    'listener.name.client.scram-sha-256.sasl.jaas.config': `${security}.scram.ScramLoginModule required;`,
    'listener.name.client.scram-sha-512.sasl.jaas.config': `${security}.scram.ScramLoginModule required;`,
    'listener.name.client.plain.sasl.jaas.config': `${security}.plain.PlainLoginModule required user_${username}="${password}";`,
  }
}
