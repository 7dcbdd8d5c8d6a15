import type { Logger } from '#src/ports/logger.ts'

/** How to reach a cluster and prove who we are. */
export interface KafkaConnectionOptions {
  /** `host:port` of some brokers; the others are found through them. */
  readonly brokers: readonly string[]
  /** Named in the broker's logs and quotas. */
  readonly clientId: string
  /** PEM texts. Without `ca` the usual authorities are trusted; `cert` and `key` prove our side. undefined: no encryption. */
  readonly tls: KafkaTls | undefined
  readonly sasl: KafkaSasl | undefined
  /** How long an answer may take. */
  readonly requestTimeoutMs: number
  /** How long connecting to one broker may take. */
  readonly connectTimeoutMs: number
  readonly logger: Logger
}

export interface KafkaTls {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
}

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

export interface KafkaSasl {
  readonly mechanism: (typeof saslMechanisms)[number]
  readonly username: string
  readonly password: string
}

/** What a topic of ours must be like. */
export interface KafkaTopicOptions {
  readonly topic: string
  /** undefined: the cluster's default. */
  readonly replicationFactor: number | undefined
  /** undefined: the cluster's default. */
  readonly minInsyncReplicas: number | undefined
  /** Largest record batch, uncompressed; larger events travel in parts. */
  readonly batchBytesMax: number
}

export const compressions = ['zstd', 'gzip', 'none'] as const
export type KafkaCompression = (typeof compressions)[number]

/** Another form of the values on the wire than the core's, such as the one that a schema registry asks for. */
export interface WireFraming {
  toWire(value: Uint8Array): Uint8Array
  /** `fingerprint`: of the schema that wrote the value, 16 hexadecimal digits; undefined when the record names none. */
  fromWire(value: Uint8Array, fingerprint: string | undefined): Uint8Array
}

export interface KafkaLogOptions extends KafkaConnectionOptions, KafkaTopicOptions {
  readonly compression: KafkaCompression
  /** After this long the broker aborts a transaction whose writer died; readers wait for it at most so long. */
  readonly transactionTimeoutMs: number
  /** Version of this program, for the record header. */
  readonly producerVersion: string
  readonly framing?: WireFraming
  /** Sequence number of the first record that a new producer sends: tests begin just before it wraps, at 2^31. */
  readonly firstProducerSequence?: number
}
