import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RowSums } from '#src/adapters/row-sums.ts'
import {
  type CheckpointRow,
  checkpointOf,
  checkpointQuery,
  checkpointValues,
  createCheckpoint,
  moveCheckpoint,
} from '#src/adapters/sqlite/checkpoint-row.ts'
import { inTransaction, storeDamaged, translated } from '#src/adapters/sqlite/database.ts'
import { type FileLock, takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { OpenedFile } from '#src/adapters/sqlite/opened-file.ts'
import { claimOrigin, insertOrigin, readOrigin } from '#src/adapters/sqlite/rows-origin.ts'
import { type RowSelection, selectRows } from '#src/adapters/sqlite/select-rows.ts'
import { bindable, createStatements, keyCondition, putStatement, quoted, sumsIn } from '#src/adapters/sqlite/tables.ts'
import { WalBounds } from '#src/adapters/sqlite/wal-bounds.ts'
import type { WriterCaches } from '#src/adapters/sqlite/writer-caches.ts'
import { compile } from '#src/domain/compile.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { keptRow } from '#src/ports/kept-row.ts'
import type { Position } from '#src/ports/message-log.ts'
import type {
  Checkpoint,
  CollectionSchema,
  CommitBatch,
  LoadSync,
  OpenCommit,
  ProjectionSchema,
  ProjectionWriter,
  Row,
  RowsOrigin,
  Value,
} from '#src/ports/read-store.ts'

export interface SqliteProjectionWriterOptions {
  readonly schema: ProjectionSchema
  readonly database: DatabaseSync
  readonly file: string
  /** Whether readers use the same connection, as they do in memory: they must not see a commit in the making. */
  readonly shared: boolean
  /** Told of each commit. */
  readonly caches?: WriterCaches
  /** Frees what the writer holds. */
  readonly release: () => void
}

/** Where a writer finds its rows. */
export interface WriterFile {
  readonly file: string
  readonly caches: WriterCaches
  open(): DatabaseSync
}

interface Table {
  readonly put: (row: Row) => void
  readonly remove: StatementSync
  readonly get: StatementSync
  readonly rowOf: RowSelection['rowOf']
}

/**
 * Opens a projection version for writing. The lock on a file beside it keeps a second living owner out and disappears
 * with its process; a newer owner's number in the checkpoint row shuts an older one out where locks are not honoured.
 */
export function openProjectionWriter(
  schema: ProjectionSchema,
  { file, caches, open }: WriterFile,
): SqliteProjectionWriter {
  const lock = takeOwnerLock(schema, file)
  let database: DatabaseSync | undefined
  const release = (): void => {
    if (database) caches.leave(database)
    database?.close()
    lock.release()
  }
  try {
    database = open()
    const writer = new SqliteProjectionWriter({ schema, database, file, shared: false, caches, release })
    caches.join(database)
    return writer
  } catch (error) {
    release()
    throw error
  }
}

/** Keeps every other owner out; throws `owner_busy` while there is one. */
export function takeOwnerLock(schema: ProjectionSchema, file: string): FileLock {
  return takeFileLock(`${file}.owner`, (cause) => {
    const message = `Another process keeps projection ${labelOf(schema)} in ${file} up to date; stop it, or leave the work to it`
    return new LedgerError('owner_busy', message, { projection: schema.name, file }, cause)
  })
}

function labelOf({ name, version, build = 1 }: ProjectionSchema): string {
  return build === 1 ? `${name} v${version}` : `${name} v${version}.${build}`
}

/** Rows and checkpoint move in one transaction. */
export class SqliteProjectionWriter implements ProjectionWriter {
  readonly #database: DatabaseSync
  readonly #file: string
  readonly #shared: boolean
  readonly #caches: WriterCaches | undefined
  readonly #release: () => void
  readonly #name: string
  readonly #tables = new Map<string, Table>()
  readonly #readCheckpoint: StatementSync
  readonly #moveCheckpoint: StatementSync
  readonly #park: StatementSync
  readonly #unpark: StatementSync
  readonly epoch: number
  readonly loadSync: LoadSync = (collection, key) => this.#translated(() => this.#get(collection, key))
  readonly checkpoint: Checkpoint | undefined
  readonly origin: RowsOrigin
  readonly #opened: OpenedFile
  readonly #wal: WalBounds
  #closed = false

  constructor({ schema, database, file, shared, caches, release }: SqliteProjectionWriterOptions) {
    this.#database = database
    this.#file = file
    this.#shared = shared
    this.#caches = caches
    this.#release = release
    this.#name = labelOf(schema)
    this.epoch = this.#translated(() =>
      inTransaction(database, () => {
        createCheckpoint(database)
        for (const statement of createStatements(schema)) database.exec(statement)
        insertOrigin(database, schema)
        database.exec('UPDATE "$checkpoint" SET owner = owner + 1')
        return (database.prepare('SELECT owner FROM "$checkpoint"').get() as { owner: number }).owner
      }),
    )
    this.origin = this.#translated(() => readOrigin(database, schema, file))
    this.#wal = new WalBounds(database)
    this.#opened = new OpenedFile(file, 'store_unavailable')
    for (const [name, collection] of Object.entries(schema.collections))
      this.#tables.set(name, prepareTable(database, name, collection))
    this.#readCheckpoint = database.prepare(checkpointQuery)
    this.#readCheckpoint.setReadBigInts(true)
    this.#moveCheckpoint = database.prepare(moveCheckpoint)
    this.#park = database.prepare('INSERT OR REPLACE INTO "$parked" VALUES (?, ?)')
    this.#unpark = database.prepare('DELETE FROM "$parked" WHERE sequence = ?')
    this.checkpoint = this.#stored().checkpoint
  }

  async claim(log: string): Promise<void> {
    this.#translated(() => claimOrigin(this.#database, log))
  }

  async load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]> {
    return this.#translated(() => keys.map((key) => this.#get(collection, key)))
  }

  async commit({ from, to, puts, deletes, parked = [] }: CommitBatch): Promise<void> {
    const open = this.begin(from)
    try {
      for (const { collection, row } of puts) open.put(collection, row)
      for (const { collection, key } of deletes) open.remove(collection, key)
      for (const event of parked) open.park(event)
    } catch (error) {
      await open.abandon()
      throw error
    }
    await open.commit(to)
  }

  begin(from: Position): OpenCommit {
    return this.#shared ? this.#beginCollected(from) : this.#beginStreamed(from)
  }

  async unpark(sequences: readonly Position[]): Promise<void> {
    this.#translated(() =>
      inTransaction(this.#database, () => {
        this.#assertOwner(this.#stored().owner)
        for (const sequence of sequences) this.#unpark.run(sequence)
      }),
    )
  }

  leftOver(): number {
    return this.#translated(() => this.#wal.leftOver())
  }

  tidy(): void {
    this.#translated(() => this.#wal.tidy())
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#release()
  }

  /** Rows go straight into an open transaction, so that none waits in memory. */
  #beginStreamed(from: Position): OpenCommit {
    this.#assertFile()
    this.#translated(() => {
      this.#database.exec('BEGIN IMMEDIATE')
      this.#orRollBack(() => this.#assertOwnerAt(from))
    })
    return {
      put: (collection, row) => this.#translated(() => this.#put(collection, row)),
      remove: (collection, key) => this.#translated(() => this.#table(collection).remove.run(...bindable(key))),
      park: ({ sequence, error }) => this.#translated(() => this.#park.run(sequence, error)),
      commit: async (to) =>
        this.#translated(() =>
          this.#orRollBack(() => {
            this.#moveTo(to)
            this.#wal.committing(to.position - from)
            this.#database.exec('COMMIT')
            this.#caches?.committed()
          }),
        ),
      abandon: async () => this.#rollBack(),
    }
  }

  #beginCollected(from: Position): OpenCommit {
    const writes: (() => void)[] = []
    return {
      put: (collection, row) => {
        const kept = keptRow(row)
        writes.push(() => this.#put(collection, kept))
      },
      remove: (collection, key) => writes.push(() => this.#table(collection).remove.run(...bindable(key))),
      park: ({ sequence, error }) => writes.push(() => this.#park.run(sequence, error)),
      commit: async (to) => {
        writes.push(() => this.#moveTo(to))
        this.#translated(() =>
          inTransaction(this.#database, () => {
            this.#assertOwnerAt(from)
            for (const write of writes) write()
          }),
        )
      },
      abandon: async () => {},
    }
  }

  #moveTo(checkpoint: Checkpoint): void {
    this.#moveCheckpoint.run(...checkpointValues(checkpoint))
  }

  #get(collection: string, key: readonly Value[]): Row | undefined {
    const { get, rowOf } = this.#table(collection)
    const values = get.get(...bindable(key)) as unknown as readonly unknown[] | undefined
    return values && rowOf(values)
  }

  #put(collection: string, row: Row): void {
    this.#table(collection).put(row)
  }

  /** What is written into a file that was removed is lost with the process, and into one that was cut off, a mixture. */
  #assertFile(): void {
    const harm = this.#opened.harm
    if (harm !== undefined) throw storeDamaged(this.#file, harm)
    this.#opened.assertThere()
  }

  #orRollBack(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  #rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }

  #assertOwner(owner: number): void {
    if (owner === this.epoch) return
    throw new LedgerError(
      'owner_fenced',
      `Another process took over projection ${this.#name}; this one writes nothing any more`,
      { projection: this.#name },
    )
  }

  #assertOwnerAt(from: number): void {
    const { owner, checkpoint } = this.#stored()
    this.#assertOwner(owner)
    const position = checkpoint?.position ?? 0
    if (position !== from) {
      throw new LedgerError(
        'checkpoint_moved',
        `Projection ${this.#name} stands at ${position}, not at ${from} as this writer expects`,
        {
          projection: this.#name,
          position,
          from,
        },
      )
    }
  }

  #stored(): { owner: number; checkpoint: Checkpoint | undefined } {
    const row = this.#readCheckpoint.get() as unknown as CheckpointRow
    return { owner: Number(row.owner), checkpoint: checkpointOf(row) }
  }

  #table(collection: string): Table {
    const table = this.#tables.get(collection)
    if (!table) throw new Error(`projection ${this.#name} has no collection ${collection}`)
    return table
  }

  #translated<T>(call: () => T): T {
    return translated(this.#file, 'store_unavailable', call)
  }
}

function prepareTable(database: DatabaseSync, name: string, collection: CollectionSchema): Table {
  const fields = Object.keys(collection.fields)
  const sums = sumsIn(database, name, collection)
  const put = database.prepare(putStatement(name, sums === undefined ? fields : [...fields, sums.field]))
  const condition = keyCondition(collection.key)
  const { columns, bigInts, rowOf } = selectRows(collection, fields, sums && { sums, also: [] })
  const get = database.prepare(`SELECT ${columns} FROM ${quoted(name)} WHERE ${condition}`)
  get.setReadBigInts(bigInts)
  get.setReturnArrays(true)
  return {
    put: runWith(put, fields, sums),
    remove: database.prepare(`DELETE FROM ${quoted(name)} WHERE ${condition}`),
    get,
    rowOf,
  }
}

/** Runs a statement with a row's values, built as source text once: a loop over names costs as much as the insertion. */
function runWith(statement: StatementSync, fields: readonly string[], sums: RowSums | undefined): (row: Row) => void {
  const values = fields.map((field) => `row[${JSON.stringify(field)}] ?? null`)
  if (sums !== undefined) values.push('sumsOf(row)')
  const source = `return (row) => { statement.run(${values.join(', ')}) }`
  return compile(source, { statement, sumsOf: sums?.of })
}
