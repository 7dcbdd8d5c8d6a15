import {
  type ConfigTree,
  checkedText,
  choice,
  flag,
  integer,
  list,
  optionalInteger,
  optionalText,
  redacted,
} from '#src/config/keys.ts'

/**
 * An address that can be shown, also where it is not a valid one, say because its password is not percent-encoded: nothing
 * before the last `@`, and no values of parameters that hold secrets.
 */
function withoutCredentials(uri: string): string {
  return uri
    .replace(/^([a-z+]+:\/\/)?.*@/is, `$1${redacted}@`)
    .replace(/([?&][^=&]*(?:password|properties)[^=&]*=)[^&]*/gi, `$1${redacted}`)
}

/** Where events, read models and decisions are kept. */
export const engineSettings = {
  engine: {
    log: choice({
      default: 'embedded',
      of: ['embedded', 'kafka'],
      flag: 'log',
      description: 'Where events are kept: in the data folder, or on Kafka',
    }),
    store: choice({
      default: 'embedded',
      of: ['embedded', 'mongodb'],
      flag: 'store',
      description: 'Where read models are kept: in the data folder, or in MongoDB',
    }),
    decisions: choice({
      default: 'embedded',
      of: ['embedded', 'eventstoredb'],
      flag: 'decisions',
      description: 'Where decisions (of the status page) are kept: in the data folder, or in EventStoreDB',
    }),
  },

  kafka: {
    brokers: list<string>(
      { default: ['127.0.0.1:9092'], description: 'Brokers to begin with; they name the others' },
      'list of host:port',
      (input) =>
        typeof input === 'string' && /^[^\s:]+:\d{1,5}$|^\[[\da-fA-F:]+\]:\d{1,5}$/.test(input) ? input : undefined,
    ),
    topicPrefix: checkedText(
      { default: 'ledger', description: 'Beginning of the topic names: `<prefix>.transactions`' },
      'letters, digits, dots, dashes and underscores',
      (input) => /^[A-Za-z\d._-]{1,200}$/.test(input),
    ),
    replicationFactor: optionalInteger({
      min: 1,
      max: 100,
      description: "Copies of a topic that is created here; the brokers' default unless given",
    }),
    minInsyncReplicas: optionalInteger({
      min: 1,
      max: 100,
      description:
        "Copies that must have an event before it counts, for a topic that is created here; the brokers' default unless given",
    }),
    compression: choice({
      default: 'zstd',
      of: ['zstd', 'gzip', 'none'],
      description: 'How batches of events are compressed',
    }),
    // These were measured: docs/decisions/0007-kafka-client.md has the figures.
    batchBytesMax: integer({
      default: 1_000_000,
      min: 10_000,
      max: 100_000_000,
      unit: 'bytes',
      description:
        'Most bytes of one batch; a larger event travels in parts. Below the `max.message.bytes` of the topic',
    }),
    requestTimeoutMs: integer({
      default: 30_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'A request that the broker leaves unanswered for longer has failed',
    }),
    connectTimeoutMs: integer({
      default: 5_000,
      min: 100,
      max: 60_000,
      unit: 'ms',
      description: 'Longest wait for a connection to a broker',
    }),
    transactionTimeoutMs: integer({
      default: 30_000,
      min: 1_000,
      max: 900_000,
      unit: 'ms',
      description: 'The broker gives up an append that takes longer',
    }),
    sasl: {
      mechanism: choice({
        default: 'none',
        of: ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
        description: 'How to log in to the brokers',
      }),
      username: optionalText({ description: 'Name to log in with' }),
      password: optionalText({ secret: true, description: 'Password to log in with' }),
    },
    tls: {
      enabled: flag({ default: false, description: 'Whether to connect by TLS' }),
      ca: optionalText({ description: "PEM file with the certificates to trust; the system's unless given" }),
      cert: optionalText({ description: 'PEM file with our certificate, where brokers ask for one' }),
      key: optionalText({ description: 'PEM file with the key of that certificate' }),
    },
  },

  eventstoredb: {
    uri: checkedText(
      {
        default: 'esdb://127.0.0.1:2113?tls=false',
        secret: true,
        redact: withoutCredentials,
        description: 'Connection string; it says whether the connection is encrypted (`tls`), and may hold credentials',
      },
      'esdb://… or esdb+discover://…',
      (input) => /^esdb(\+discover)?:\/\/./.test(input),
    ),
    username: optionalText({ description: 'Name to log in with, unless the connection string has it' }),
    password: optionalText({ secret: true, description: 'Password to log in with' }),
    ca: optionalText({ description: 'File with the certificates that are trusted; those of the system unless given' }),
    timeoutMs: integer({
      default: 10_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'An operation that takes longer has failed',
    }),
  },

  mongodb: {
    uri: checkedText(
      {
        default: 'mongodb://127.0.0.1:27017',
        secret: true,
        redact: withoutCredentials,
        description: 'Connection string',
      },
      'mongodb://… or mongodb+srv://…',
      (input) => /^mongodb(\+srv)?:\/\/./.test(input),
    ),
    database: checkedText(
      { default: 'ledger', description: 'Database of one ledger' },
      'letters, digits, dashes and underscores',
      (input) => /^[A-Za-z\d_-]{1,63}$/.test(input),
    ),
    readPreference: choice({
      default: 'primary',
      of: ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'],
      description: 'Which members of a replica set answer queries; checkpoints are read from the same ones',
    }),
    timeoutMs: integer({
      default: 10_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'An operation that takes longer has failed, and so has finding a server',
    }),
    leaseMs: integer({
      default: 5_000,
      min: 1_000,
      max: 600_000,
      unit: 'ms',
      description: 'An owner of a read model that gives no sign of life for so long is replaced by one that waits',
    }),
    poolSizeMax: integer({ default: 20, min: 1, max: 1_000, description: 'Most connections of one process' }),
  },

  registry: {
    url: optionalText(
      {
        secret: true,
        redact: (url) => url && withoutCredentials(url),
        description:
          'Schema registry with the Confluent API. Unless given, events carry the fingerprint of their schema (Avro single-object encoding)',
      },
      'address or nothing',
    ),
    username: optionalText({ description: 'Name to log in with' }),
    password: optionalText({ secret: true, description: 'Password to log in with' }),
    timeoutMs: integer({
      default: 10_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'Longest wait for an answer',
    }),
  },
} as const satisfies ConfigTree
