import type { BSON, ClientSession, Collection, MongoClient, WriteConcernSettings } from 'mongodb'
import { CallSize } from '#src/adapters/mongodb/call-size.ts'
import { translated } from '#src/adapters/mongodb/errors.ts'
import { type MongoOptions, mongoDefaults } from '#src/adapters/mongodb/options.ts'
import { replaceRowsMaxOf } from '#src/adapters/mongodb/server-kind.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'

/** Any document: its identity is text. */
export interface Stored {
  readonly _id: string
  readonly [field: string]: unknown
}

export type Settings = Required<Omit<MongoOptions, 'beforeStep'>> & Pick<MongoOptions, 'beforeStep'>

/**
 * Majority: a row that is acknowledged and then rolled back would be missing below a checkpoint. The journal of the server
 * is awaited where a checkpoint moves, which covers the rows written before on the same server, unless it started anew
 * in between: see `assertUnbrokenSince`.
 */
const rowConcern: WriteConcernSettings = { w: 'majority' }
export const checkpointConcern: WriteConcernSettings = { w: 'majority', journal: true }

/**
 * One client with its pool, for all stores of a process. Connects when it is first used, and again whenever it must: the
 * driver gives a client up whose first connection fails, so another one takes its place.
 */
export class Connection {
  readonly settings: Settings
  readonly bson: typeof BSON
  readonly logger: Logger
  readonly #createClient: () => MongoClient
  #client: MongoClient
  readonly #where: string
  #isSharded = false
  #breaks = 0
  #replaceRowsMax: Promise<number> | undefined
  readonly #callSizes = new Map<string, CallSize>()
  #closed = false
  /** Settles when the present client has connected for the first time; undefined before that is tried. */
  #connecting: Promise<void> | undefined

  constructor(settings: Settings, createClient: () => MongoClient, bson: typeof BSON) {
    this.settings = settings
    this.bson = bson
    this.logger = settings.logger
    this.#createClient = createClient
    this.#client = this.#newClient()
    const { hosts, srvHost } = this.#client.options
    this.#where = `MongoDB database ${settings.database} at ${hosts.join(', ') || srvHost}`
  }

  #newClient(): MongoClient {
    const client = this.#createClient()
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      this.#isSharded = newDescription.type === 'Sharded'
    })
    client.on('connectionPoolCleared', () => {
      this.#breaks += 1
    })
    client.on('connectionClosed', ({ reason }) => {
      if (reason !== 'idle' && reason !== 'poolClosed') this.#breaks += 1
    })
    return client
  }

  /** One attempt at a time, for all who wait. */
  #connected(): Promise<void> {
    if (this.#closed) throw new LedgerError('store_unavailable', `The connection to ${this.#where} was closed`)
    this.#connecting ??= this.#client.connect().then(
      () => undefined,
      async (error: unknown) => {
        const failed = this.#client
        this.#client = this.#newClient()
        this.#connecting = undefined
        await failed.close()
        throw error
      },
    )
    return this.#connecting
  }

  /** Whether rows are distributed over several servers. */
  get isSharded(): boolean {
    return this.#isSharded
  }

  /** Grows with every connection that is found broken. */
  get breaks(): number {
    return this.#breaks
  }

  /**
   * Rejects with `store_unavailable` when a connection broke since `breaks` was read. A standalone server that starts anew
   * may have lost rows that it confirmed a moment before: a checkpoint must not be moved over them.
   */
  async assertUnbrokenSince(breaks: number): Promise<void> {
    // Whoever asks is given a live connection, and finds every dead one before it.
    await this.run(() => this.#database.command({ ping: 1 }))
    if (this.#breaks === breaks) return
    throw new LedgerError(
      'store_unavailable',
      `${this.#where} was away in the middle of a commit, and may have lost the beginning of it; the commit is made again`,
    )
  }

  /** Most rows to replace in one call, which depends on what kind of server this is; asked once. */
  replaceRowsMax(): Promise<number> {
    this.#replaceRowsMax ??= this.run(() => this.#database.admin().command({ buildInfo: 1 })).then(
      replaceRowsMaxOf,
      (error: unknown) => {
        this.#replaceRowsMax = undefined
        throw error
      },
    )
    return this.#replaceRowsMax
  }

  /** Of calls of one kind, whoever makes them: a writer that is opened again must know what its predecessor failed of. */
  callSize(kind: string): CallSize {
    const size = this.#callSizes.get(kind) ?? new CallSize(this.settings.timeoutMs)
    this.#callSizes.set(kind, size)
    return size
  }

  /** Where rows and checkpoints are written and read back by their owner. */
  collection<D extends Stored = Stored>(name: string, concern: WriteConcernSettings = rowConcern): Collection<D> {
    return this.#database.collection<D>(name, { writeConcern: concern, readPreference: 'primary' })
  }

  /** Where readers read. */
  readable(name: string): Collection<Stored> {
    const { readPreference } = this.settings
    return this.#database.collection<Stored>(name, { readPreference })
  }

  /** Makes a collection with its indexes where they are missing. */
  async create(name: string, indexes: readonly string[]): Promise<void> {
    await this.run(async () => {
      const collection = this.collection(name)
      // Indexes are made one by one, since not every server takes several at once; a collection comes with its first index.
      for (const field of indexes) await collection.createIndex({ [field]: 1 })
    })
  }

  /** Drops a collection with its indexes; without effect where there is none. */
  async drop(name: string): Promise<void> {
    await this.run(async () => {
      const existing = await this.#database.listCollections({ name }, { nameOnly: true }).toArray()
      // Some servers refuse to drop what is not there, and some list all whatever the filter.
      if (existing.some((each) => each.name === name)) await this.collection(name).drop()
    })
  }

  /** Names of collections that begin so. */
  async namesBeginning(prefix: string): Promise<readonly string[]> {
    return this.run(async () => {
      const existing = await this.#database.listCollections({}, { nameOnly: true }).toArray()
      return existing.map(({ name }) => name).filter((name) => name.startsWith(prefix))
    })
  }

  /** Runs calls of the driver; what they throw arrives as an error of the catalogue. */
  run<T>(call: () => Promise<T>): Promise<T> {
    return translated(this.#where, async () => {
      await this.#connected()
      return call()
    })
  }

  /** For reads that must not go back in time. */
  startSession(): ClientSession {
    return this.#client.startSession({ causalConsistency: true })
  }

  /** What is asked from now on is refused, since the driver would connect again. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#client.close()
  }

  get #database() {
    return this.#client.db(this.settings.database)
  }
}

export async function connect(options: MongoOptions): Promise<Connection> {
  const settings: Settings = { ...mongoDefaults, logger: silentLogger, ...options }
  checkNames(settings)
  // Loaded here, since it is heavy and the embedded store does without it.
  const { MongoClient, BSON } = await import('mongodb')
  return translated(
    'MongoDB',
    async () => new Connection(settings, () => new MongoClient(options.uri, clientOptions(settings)), BSON),
  )
}

function checkNames({ database, leaseMs, heartbeatMs }: Settings): void {
  if (!/^[\w-]{1,38}$/.test(database)) {
    throw new LedgerError(
      'config_invalid',
      `The MongoDB database name ${JSON.stringify(database)} cannot be used; take up to 38 letters, digits, _ and -`,
    )
  }
  if (leaseMs < 2 * heartbeatMs) {
    throw new LedgerError(
      'config_invalid',
      `An owner's lease of ${leaseMs} ms is too short for a sign of life every ${heartbeatMs} ms; take at least twice that`,
    )
  }
}

function clientOptions({ timeoutMs, poolSizeMax, owner }: Settings) {
  return {
    appName: `ledger-history ${owner.process}`.slice(0, 128),
    // Numbers as the port promises them: 64 bits exact, bytes as they are.
    useBigInt64: true,
    promoteBuffers: true,
    // Every write may be sent again by the one who reads the outcome from the checkpoint; a standalone server has no other way.
    retryWrites: false,
    retryReads: true,
    maxPoolSize: poolSizeMax,
    minPoolSize: 0,
    maxConnecting: 4,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    // How soon a server that went away is looked for again.
    heartbeatFrequencyMS: 2_000,
    minHeartbeatFrequencyMS: 500,
  }
}
