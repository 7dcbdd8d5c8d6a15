import { type Connection, connect } from '#src/adapters/mongodb/connection.ts'
import { MongoContentStore } from '#src/adapters/mongodb/content-store.ts'
import { MongoControlStore } from '#src/adapters/mongodb/control-store.ts'
import type { MongoOptions } from '#src/adapters/mongodb/options.ts'
import { openProjectionWriter } from '#src/adapters/mongodb/projection-writer.ts'
import { removeInstance } from '#src/adapters/mongodb/removal.ts'
import { MongoRowReader } from '#src/adapters/mongodb/row-reader.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { ProjectionSchema, ProjectionWriter, ReadStore, RowReader } from '#src/ports/read-store.ts'

export interface MongoStores {
  readonly readStore: ReadStore
  readonly controlStore: ControlStore
  readonly contentStore: ContentStore
  /** Closes the connections of all. */
  close(): Promise<void>
}

/**
 * The stores of a MongoDB database, over one client. Needs no transactions: a standalone server, a replica set and a
 * sharded cluster will do. See docs/decisions/0008-mongodb-without-transactions.md. Nothing is asked of the server until
 * a store is used; only an address that cannot be read is refused at once, with `config_invalid`.
 */
export async function openMongoStores(options: MongoOptions): Promise<MongoStores> {
  const connection = await connect(options)
  return {
    readStore: new MongoReadStore(connection),
    controlStore: new MongoControlStore(connection),
    contentStore: new MongoContentStore(connection),
    close: () => connection.close(),
  }
}

class MongoReadStore implements ReadStore {
  readonly #connection: Connection
  readonly #writers = new Set<ProjectionWriter>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async openWriter(schema: ProjectionSchema): Promise<ProjectionWriter> {
    const onClosed = () => this.#writers.delete(writer)
    const writer = await openProjectionWriter(this.#connection, schema, onClosed)
    this.#writers.add(writer)
    return writer
  }

  async openReader(schema: ProjectionSchema): Promise<RowReader> {
    return new MongoRowReader(this.#connection, schema)
  }

  remove(schema: ProjectionSchema): Promise<boolean> {
    return removeInstance(this.#connection, schema)
  }

  /** Gives back what writers hold that nobody closed; the connection belongs to the stores. */
  async close(): Promise<void> {
    await Promise.all([...this.#writers].map((writer) => writer.close()))
  }
}
