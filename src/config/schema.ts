import {
  checkedText,
  choice,
  decimal,
  flag,
  integer,
  type Key,
  list,
  optionalInstant,
  optionalInteger,
  optionalText,
  ratio,
  redacted,
  text,
} from '#src/config/keys.ts'
import { isMixKind, isMixPreset, mixElements } from '#src/config/mix-names.ts'
import {
  type HealthMetricName,
  healthMetricNames,
  type Thresholds,
  type WatchedPart,
  watchedParts,
} from '#src/domain/status/health-metrics.ts'
import { formatAccountRange, parseAccountRange, unreleasedRanges } from '#src/domain/unreleased-accounts.ts'
import type { ApiUser, StatusToken } from '#src/http/settings.ts'
import { defaultProjectorLimits as projector } from '#src/runtime/fold/projector-limits.ts'

function toStatusToken(input: unknown): StatusToken | undefined {
  const record = typeof input === 'object' && input !== null ? (input as Record<keyof StatusToken, unknown>) : undefined
  const [name, role, sha256] =
    typeof input === 'string' ? input.split(':') : [record?.name, record?.role, record?.sha256]
  if (typeof name !== 'string' || typeof sha256 !== 'string' || !/^[\w.@-]{1,100}$/.test(name)) return undefined
  const isWhole = (role === 'operator' || role === 'automation') && /^[\da-f]{64}$/.test(sha256)
  return isWhole ? { name, role, sha256 } : undefined
}

/** A figure and what it means when it is above which value. */
export interface HealthLevels {
  readonly metric: HealthMetricName
  readonly thresholds: Thresholds
}

function toHealthLevels(input: unknown): HealthLevels | undefined {
  const [name, ...values] = typeof input === 'string' ? input.split(':') : []
  const metric = healthMetricNames.find((each) => each === name)
  const thresholds = values.map((value) => (value === '' ? null : Number(value)))
  const given = thresholds.filter((each) => each !== null)
  const isAscending = given.every((each, index) => each >= 0 && (index === 0 || each > given[index - 1]!))
  if (metric === undefined || thresholds.length !== 3 || given.length === 0 || !isAscending) return undefined
  return { metric, thresholds: thresholds as unknown as Thresholds }
}

function toApiUser(input: unknown): ApiUser | undefined {
  const record = typeof input === 'object' && input !== null ? (input as Partial<Record<keyof ApiUser, unknown>>) : {}
  const [username, password, size] =
    typeof input === 'string' ? input.split(':') : [record.username, record.password, record.pageSizeMax]
  const pageSizeMax = Number(size)
  if (typeof username !== 'string' || typeof password !== 'string' || username === '') return undefined
  return Number.isInteger(pageSizeMax) && pageSizeMax > 0 ? { username, password, pageSizeMax } : undefined
}

function seconds(of: number, description: string): Key<number> {
  return decimal({ default: of, min: 0, max: 86_400, unit: 's', description })
}

const sidecarTypes = ['state-changes', 'actions', 'bytecode'] as const
export type SidecarType = (typeof sidecarTypes)[number]

/** A named mix to begin with, or the relative frequency of one kind of transaction. */
export type MixPart = { readonly preset: string } | { readonly kind: string; readonly weight: number }

function toMixPart(input: unknown): MixPart | undefined {
  const match = typeof input === 'string' ? /^([A-Za-z][A-Za-z-]*)(?:=(\d{1,6}(?:\.\d{1,6})?))?$/.exec(input) : null
  if (!match) return undefined
  const [, name = '', weight] = match
  if (weight === undefined) return isMixPreset(name) ? { preset: name } : undefined
  return isMixKind(name) ? { kind: name, weight: Number(weight) } : undefined
}

/** Anything without a scheme is a path; of the schemes there is only one. */
function isLocation(input: string): boolean {
  return /^s3:\/\/[^/\s]/.test(input) || !/^[A-Za-z][A-Za-z\d+.-]*:\/\//.test(input)
}

/**
 * An address that can be shown, also where it is not a valid one, say because its password is not percent-encoded: nothing
 * before the last `@`, and no values of parameters that hold secrets.
 */
function withoutCredentials(uri: string): string {
  return uri
    .replace(/^([a-z+]+:\/\/)?.*@/is, `$1${redacted}@`)
    .replace(/([?&][^=&]*(?:password|properties)[^=&]*=)[^&]*/gi, `$1${redacted}`)
}

/** Every setting of the product. Paths give the names: `source.s3.region` is LEDGER_SOURCE_S3_REGION in the environment. */
export const configSchema = {
  data: text({ default: './data', description: 'Folder of the embedded log and stores. It belongs to one network' }),
  network: optionalText(
    {
      description:
        'Network name. Unless given: `simulated`, the network of a known bucket, or the name of the source folder',
    },
    'text or nothing',
  ),
  host: text({ default: '127.0.0.1', description: 'Address that the API listens on' }),
  port: integer({
    default: 5551,
    min: 0,
    max: 65_535,
    description: 'Port that the API listens on; 0 takes a free one',
  }),
  once: flag({
    default: false,
    flag: 'once',
    description: 'End with a summary when everything that is there is done, instead of waiting for more',
  }),

  source: {
    location: checkedText(
      {
        default: 'simulated',
        flag: 'source',
        description: 'Where record files come from; a folder is shaped like a bucket',
      },
      'simulated, a folder, or s3://<bucket>',
      isLocation,
    ),
    pathType: choice({
      default: 'auto',
      of: ['auto', 'account-id', 'node-id'],
      description: 'Layout of the source: `recordstreams/record0.0.3/`, `<network>/0/0/record/`, or found out per node',
    }),
    pathPrefix: optionalText({ description: 'Folder inside the source in front of the layout' }),
    addressBook: optionalText({
      flag: 'address-book',
      description:
        'File with the address book to begin with. Unless given: `address_book.bin` or `address-book.bin` in the source folder',
    }),
    startDate: optionalInstant({ flag: 'start-date', description: 'Import record files after this instant' }),
    endDate: optionalInstant({ flag: 'end-date', description: 'Import record files up to this instant, then finish' }),
    pollMs: integer({
      default: 500,
      min: 10,
      max: 3_600_000,
      unit: 'ms',
      description: 'Pause between looks for new record files',
    }),
    s3: {
      endpoint: optionalText({ description: 'URL of an S3-compatible service; unless given, the one of the region' }),
      region: text({ default: 'us-east-1', description: 'Region of the bucket' }),
      accessKey: optionalText({
        description: 'Access key, or HMAC key of a compatible service; none for anonymous reads',
      }),
      secretKey: optionalText({ secret: true, description: 'Secret of the access key' }),
      pathStyle: flag({
        default: true,
        description:
          'Whether the bucket stands in the path of the address instead of in its host name; only with an endpoint',
      }),
      timeoutMs: integer({
        default: 30_000,
        min: 100,
        max: 600_000,
        unit: 'ms',
        description: 'Longest wait for an answer of the bucket',
      }),
    },
  },

  import: {
    consensusRatio: ratio({
      default: { numerator: 1n, denominator: 3n },
      flag: 'consensus-ratio',
      description: 'Share of the stake whose signatures a file needs. 0: one valid signature is enough',
    }),
    stakeMode: choice({
      default: 'address-book',
      of: ['address-book', 'stake', 'equal'],
      flag: 'stake-mode',
      description: 'Whose stake counts: the nodes of the address book, all nodes with stake, or every node the same',
    }),
    sidecarTypes: list<SidecarType>(
      { default: sidecarTypes, flag: 'sidecar-types', description: 'Sidecar records to import' },
      `list of ${sidecarTypes.join(', ')}`,
      (input) => sidecarTypes.find((type) => type === input),
    ),
    keepRawBytes: flag({
      default: false,
      flag: 'keep-raw-bytes',
      description: 'Keep the raw transaction and record of every transaction, which `bytes` in answers then shows',
    }),
    signatureChecks: choice({
      default: 'all',
      of: ['all', 'enough'],
      description:
        'Whether to verify and record every signature of a file, or only as many as the required stake needs',
    }),
    startBlockNumber: optionalInteger({
      flag: 'start-block-number',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Number of the first block when its file carries none',
    }),
  },

  simulation: {
    seed: text({
      default: 'ledger-history',
      flag: 'seed',
      description: 'Any text; same seed and settings, same bytes',
    }),
    startTime: optionalInstant({
      flag: 'start-time',
      description:
        'Ledger time at which the network begins. Unless given: just before the first start where it runs in step with the clock, else 2026-01-01',
    }),
    nodes: integer({ default: 4, min: 1, max: 100, flag: 'nodes', description: 'Nodes that sign' }),
    transactionsPerSecond: decimal({
      default: 20,
      min: 0.5,
      max: 50_000,
      flag: 'transactions-per-second',
      unit: 'transactions/s of ledger time',
      description: 'Rate',
    }),
    mix: list<MixPart>(
      {
        default: [{ preset: 'default' }],
        flag: 'mix',
        description: 'What happens: a named mix, then kinds of transactions whose frequency differs from it',
        elements: mixElements,
      },
      'list such as default,hbarTransfer=70,topicMessage=5',
      toMixPart,
    ),
    accounts: integer({
      default: 200,
      min: 10,
      max: 1_000_000,
      flag: 'accounts',
      description: 'Accounts that take part',
    }),
    blockSeconds: decimal({
      default: 2,
      min: 0.1,
      max: 60,
      flag: 'block-seconds',
      unit: 's',
      description: 'Ledger time that one record file covers',
    }),
    keepBlocks: integer({
      default: 5_000,
      min: 10,
      max: 1_000_000_000,
      flag: 'keep-blocks',
      description: 'Newest blocks whose files stay on disk; older ones were imported long ago',
    }),
  },

  projection: {
    lanes: integer({
      default: 0,
      min: 0,
      max: 64,
      flag: 'lanes',
      description: 'Threads that the read models are spread over; 0 takes as many as the machine has cores to spare',
    }),
    readCountMax: integer({
      default: projector.readCountMax,
      min: 1,
      max: 100_000,
      description: 'Most events read at once',
    }),
    readBytesMax: integer({
      default: projector.readBytesMax,
      min: 1_024,
      max: 268_435_456,
      unit: 'bytes',
      description: 'Roughly the most event bytes read at once',
    }),
    commitEventsMax: integer({
      default: projector.commitEventsMax,
      min: 1,
      max: 1_000_000,
      description:
        'Most events per commit while catching up; at the head every batch is committed, and MongoDB takes no more than 8,192',
    }),
    commitRowsMax: integer({
      default: projector.commitRowsMax,
      min: 1,
      max: 10_000_000,
      description: 'Rows after which a commit is made early, whatever the number of events',
    }),
    cacheBytesMax: integer({
      default: projector.cacheBytesMax,
      min: 0,
      max: 17_179_869_184,
      unit: 'bytes',
      description: 'Rows that all stateful read models of a projector keep in memory, together',
    }),
  },

  contractLogs: {
    made: flag({
      default: true,
      description:
        "Make logs of contracts for what the ledger's own tokens do. This and the next two hold for read models that are built from then on: rebuild `contract-logs` after a change",
    }),
    multiParty: flag({
      default: true,
      description: 'Make them also for transactions that move more than two tokens',
    }),
    evmAddresses: flag({
      default: true,
      description: 'Name accounts in them by the EVM address that they have, instead of their number',
    }),
  },

  output: {
    publish: flag({
      default: true,
      description:
        'Whether what read models publish for subscribers, as contract-logs does, is written to topics of its own; turned on later, it begins with the first',
    }),
    batchEventsMax: integer({
      default: 1_000,
      min: 1,
      max: 100_000,
      description: 'Most events that are published at once',
    }),
  },

  memory: {
    answersMiB: integer({
      default: 32,
      min: 0,
      max: 65_536,
      unit: 'MiB',
      description:
        'Most memory of a process for answers that are kept while their read models do not move; 0 keeps none',
    }),
    readersMiB: integer({
      default: 64,
      min: 1,
      max: 65_536,
      unit: 'MiB',
      description:
        'Most memory of a process for the pages that its readers of embedded read models keep; they share it equally',
    }),
    writersMiB: integer({
      default: 128,
      min: 1,
      max: 65_536,
      unit: 'MiB',
      description:
        'Most memory of a process for the pages that its writers of embedded read models keep: small ones as much as they can use, large ones equal shares of the rest',
    }),
  },

  api: {
    pageSizeDefault: integer({
      default: 25,
      min: 1,
      max: 10_000,
      description: 'Rows of a page when the request says nothing',
    }),
    pageSizeMax: integer({ default: 100, min: 1, max: 10_000, description: 'Most rows of a page' }),
    tokensPerAccount: integer({
      default: 1_000,
      min: 1,
      max: 10_000,
      description: 'Most tokens that an account shows where it is the only one that was asked for',
    }),
    tokensPerListedAccount: integer({
      default: 50,
      min: 1,
      max: 10_000,
      description: 'Most tokens that each account of a list shows',
    }),
    unreleasedAccounts: list<string>(
      {
        default: unreleasedRanges.map(formatAccountRange),
        description:
          'Accounts whose balances are not part of the released supply: numbers in shard 0 and realm 0, or ranges of them. ' +
          'Others than these are added up one by one for each answer',
      },
      'list of numbers and ranges such as 200-349, of 10,000 accounts at most',
      (input) => (typeof input === 'string' && parseAccountRange(input) !== undefined ? input : undefined),
    ),
    bindTimestampRange: flag({
      default: false,
      description: 'Bound the time range that one transaction list looks through',
    }),
    maxTimestampRangeDays: integer({
      default: 60,
      min: 1,
      max: 3_650,
      unit: 'days',
      description: 'Length of that range',
    }),
    requestTimeoutMs: integer({
      default: 20_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'A request that searches longer is given up with status 503',
    }),
    maxWaitMs: integer({
      default: 10_000,
      min: 0,
      max: 600_000,
      unit: 'ms',
      description: 'Longest wait for the consensus time that a request names in the header `Ledger-Wait-For`',
    }),
    docs: flag({ default: true, description: 'Whether `/api/v1/docs` is served' }),
    nftOnlyMatches: flag({
      default: false,
      description: 'Whether the account filter also finds transactions that only move NFTs of the account',
    }),
    lagBudgetSeconds: integer({
      default: 60,
      min: 1,
      max: 86_400,
      unit: 's',
      description: 'How far a read model may be behind the log for `/health/readiness` to say ready',
    }),
    users: list<ApiUser>(
      {
        default: [],
        secret: true,
        redact: (users) => users.map((user) => ({ ...user, password: redacted })),
        description:
          'Who may ask for larger pages: `username:password:pageSizeMax` parts, or objects with these names in the file',
      },
      'list of username:password:pageSizeMax',
      toApiUser,
    ),
  },

  status: {
    tokens: list<StatusToken>(
      {
        default: [],
        flag: 'status-tokens',
        secret: true,
        redact: (tokens) => tokens.map(({ name, role }) => `${name}:${role}:${redacted}`),
        description:
          'Who may write to the status page: `name:role:sha256` parts, or objects with these names in the file. The role is operator or automation; the last part is the SHA-256 of a bearer token, as `printf %s "$token" | sha256sum` prints it. Without any, nobody may',
      },
      'list of name:role:sha256',
      toStatusToken,
    ),
    commandsPerMinuteMax: integer({
      default: 120,
      min: 1,
      max: 100_000,
      description: 'Most commands of one token within a minute; more are answered with 429',
    }),
    watch: list<WatchedPart>(
      {
        default: watchedParts,
        flag: 'status-watch',
        description:
          'Parts of the deployment whose health the page shows, as far as `status setup` or `start` made components of them; an empty list watches none. Leave `import` out where the source is an archive, whose newest transaction is old for good',
      },
      `list of ${watchedParts.join(', ')}`,
      (input) => watchedParts.find((part) => part === input),
    ),
    levels: list<HealthLevels>(
      {
        default: [],
        flag: 'status-levels',
        description: `Above which values a figure means degraded performance, partial outage and major outage, where that is not what the docs say: \`metric:degraded:partial:major\`, empty for never. Metrics: ${healthMetricNames.join(', ')}`,
      },
      'list of metric:degraded:partial:major, ascending',
      toHealthLevels,
    ),
    holdSeconds: seconds(60, 'How long a figure has to be above a value until that counts'),
    recoverSeconds: seconds(120, 'How long a figure has to be below half of its first value until all is well again'),
    silenceSeconds: seconds(90, 'A part of which nothing is measured for so long counts as a major outage'),
    stableSeconds: seconds(300, 'How long all has to be well until an incident that was opened by itself is resolved'),
    coolDownSeconds: seconds(300, 'So long after such an incident, no other one is opened for the same component'),
    publishAfterSeconds: seconds(
      600,
      'Where the page is set to propose incidents only, a major outage of this length is published all the same',
    ),
  },

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

  log: {
    level: choice({
      default: 'info',
      of: ['error', 'warn', 'info', 'debug', 'trace'],
      description: 'What is worth a log line',
    }),
    format: choice({
      default: 'auto',
      of: ['auto', 'json', 'pretty'],
      description: '`auto` is pretty on a terminal and JSON otherwise',
    }),
  },
} as const satisfies ConfigTree

// biome-ignore lint/suspicious/noExplicitAny: keys of every value type meet here
export type AnyKey = Key<any>
export interface ConfigTree {
  readonly [name: string]: AnyKey | ConfigTree
}

export type ConfigOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Key<infer Value> ? Value : ConfigOf<Tree[Name]>
}
export type Config = ConfigOf<typeof configSchema>

export interface NamedKey {
  /** Names from the root, as the file nests them. */
  readonly path: readonly string[]
  readonly key: AnyKey
  /** `source.pathType` */
  readonly name: string
  /** `source-path-type`, without dashes in front. */
  readonly flagName: string
  /** `LEDGER_SOURCE_PATH_TYPE` */
  readonly variable: string
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function isKey(entry: AnyKey | ConfigTree): entry is AnyKey {
  return typeof entry['parse'] === 'function'
}

function namedKeysOf(tree: ConfigTree, path: readonly string[]): NamedKey[] {
  return Object.entries(tree).flatMap(([part, entry]) => {
    const here = [...path, part]
    if (!isKey(entry)) return namedKeysOf(entry, here)
    const dashed = here.map(kebab).join('-')
    const variable = `LEDGER_${dashed.replaceAll('-', '_').toUpperCase()}`
    return [{ path: here, key: entry, name: here.join('.'), flagName: entry.flag ?? dashed, variable }]
  })
}

/** Every key, in the order of the schema. */
export const configKeys: readonly NamedKey[] = namedKeysOf(configSchema, [])
