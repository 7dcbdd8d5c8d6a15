import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { inTransaction, translated } from '#src/adapters/sqlite/database.ts'
import {
  bindable,
  createStatements,
  int32FieldsOf,
  keyCondition,
  putStatement,
  quoted,
  restoreKinds,
} from '#src/adapters/sqlite/tables.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Position } from '#src/ports/message-log.ts'
import type {
  Checkpoint,
  CollectionSchema,
  CommitBatch,
  OpenCommit,
  ProjectionSchema,
  ProjectionWriter,
  Row,
  Value,
} from '#src/ports/read-store.ts'

export interface SqliteProjectionWriterOptions {
  readonly schema: ProjectionSchema
  readonly database: DatabaseSync
  readonly file: string
  /** Whether closing the writer closes the database. */
  readonly owned: boolean
}

interface Table {
  readonly fields: readonly string[]
  readonly put: StatementSync
  readonly remove: StatementSync
  readonly get: StatementSync
  readonly int32: readonly string[]
}

/** Rows and checkpoint move in one transaction; a newer owner's number in the checkpoint row shuts an older one out. */
export class SqliteProjectionWriter implements ProjectionWriter {
  readonly #database: DatabaseSync
  readonly #file: string
  readonly #owned: boolean
  readonly #name: string
  readonly #owner: number
  readonly #tables = new Map<string, Table>()
  readonly #readCheckpoint: StatementSync
  readonly #moveCheckpoint: StatementSync
  readonly #park: StatementSync
  readonly checkpoint: Checkpoint | undefined

  constructor({ schema, database, file, owned }: SqliteProjectionWriterOptions) {
    this.#database = database
    this.#file = file
    this.#owned = owned
    this.#name = `${schema.name} v${schema.version}`
    this.#owner = this.#translated(() =>
      inTransaction(database, () => {
        for (const statement of createStatements(schema)) database.exec(statement)
        database.exec('UPDATE "$checkpoint" SET owner = owner + 1')
        return (database.prepare('SELECT owner FROM "$checkpoint"').get() as { owner: number }).owner
      }),
    )
    for (const [name, collection] of Object.entries(schema.collections))
      this.#tables.set(name, prepareTable(database, name, collection))
    this.#readCheckpoint = database.prepare('SELECT owner, position, time FROM "$checkpoint"')
    this.#readCheckpoint.setReadBigInts(true)
    this.#moveCheckpoint = database.prepare('UPDATE "$checkpoint" SET position = ?, time = ?')
    this.#park = database.prepare('INSERT OR REPLACE INTO "$parked" VALUES (?, ?)')
    this.checkpoint = this.#stored().checkpoint
  }

  async load(collection: string, keys: readonly (readonly Value[])[]): Promise<(Row | undefined)[]> {
    const { get, int32 } = this.#table(collection)
    return this.#translated(() =>
      keys.map((key) => {
        const row = get.get(...bindable(key))
        return row ? restoreKinds([row], int32)[0] : undefined
      }),
    )
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

  /** Rows go straight into an open transaction, so that none waits in memory. */
  begin(from: Position): OpenCommit {
    this.#translated(() => {
      this.#database.exec('BEGIN IMMEDIATE')
      this.#orRollBack(() => this.#assertOwnerAt(from))
    })
    return {
      put: (collection, row) => this.#translated(() => this.#put(collection, row)),
      remove: (collection, key) => this.#translated(() => this.#table(collection).remove.run(...bindable(key))),
      park: ({ sequence, error }) => this.#translated(() => this.#park.run(sequence, error)),
      commit: async ({ position, time }) =>
        this.#translated(() =>
          this.#orRollBack(() => {
            this.#moveCheckpoint.run(position, time)
            this.#database.exec('COMMIT')
          }),
        ),
      abandon: async () => this.#rollBack(),
    }
  }

  async close(): Promise<void> {
    if (this.#owned && this.#database.isOpen) this.#database.close()
  }

  #put(collection: string, row: Row): void {
    const { put, fields } = this.#table(collection)
    const values: Value[] = new Array(fields.length)
    for (let index = 0; index < fields.length; index++) values[index] = row[fields[index]!] ?? null
    put.run(...bindable(values))
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

  #assertOwnerAt(from: number): void {
    const { owner, checkpoint } = this.#stored()
    if (owner !== this.#owner) {
      throw new LedgerError(
        'owner_fenced',
        `Another process took over projection ${this.#name}; this one writes nothing any more`,
        {
          projection: this.#name,
        },
      )
    }
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
    const row = this.#readCheckpoint.get() as { owner: bigint; position: bigint | null; time: bigint | null }
    const checkpoint = row.position === null ? undefined : { position: Number(row.position), time: row.time ?? 0n }
    return { owner: Number(row.owner), checkpoint }
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
  const condition = keyCondition(collection.key)
  const get = database.prepare(`SELECT * FROM ${quoted(name)} WHERE ${condition}`)
  get.setReadBigInts(true)
  return {
    fields,
    put: database.prepare(putStatement(name, collection)),
    remove: database.prepare(`DELETE FROM ${quoted(name)} WHERE ${condition}`),
    get,
    int32: int32FieldsOf(collection, fields),
  }
}
