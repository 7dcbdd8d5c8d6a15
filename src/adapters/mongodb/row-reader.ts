import { CausalReads } from '#src/adapters/mongodb/causal-reads.ts'
import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import {
  checkpointOf,
  collectionNames,
  type InstanceDocument,
  rowsName,
  scopeOf,
} from '#src/adapters/mongodb/instance.ts'
import { parkedEvent, parkedFilter } from '#src/adapters/mongodb/parked-events.ts'
import { deletedField, rowOf, type Shape, shapesOf } from '#src/adapters/mongodb/shape.ts'
import { createSharedCall } from '#src/adapters/mongodb/shared-call.ts'
import type { Position } from '#src/ports/message-log.ts'
import {
  type Checkpoint,
  instanceName,
  type ParkedEvent,
  type ProjectionSchema,
  type Row,
  type RowFilter,
  type RowQuery,
  type RowReader,
  type Value,
} from '#src/ports/read-store.ts'

/** Keys asked for in one call. */
const getKeysMax = 1_000

interface Sort {
  readonly field: string
  readonly descending: boolean
}

interface Query {
  readonly collection: string
  readonly filter: object
  readonly select: readonly string[]
  readonly limit: number
  readonly sort?: Sort
  readonly requestId?: string | undefined
}

/** Each read is one query over one index, with only the fields that are asked for. */
export class MongoRowReader implements RowReader {
  readonly #connection: Connection
  readonly #reads: CausalReads
  readonly #schema: ProjectionSchema
  readonly #shapes: ReadonlyMap<string, Shape>
  /** Where the rows of the life seen last are; undefined while there is none. */
  #scope: string | undefined
  readonly #readCheckpoint: () => Promise<Checkpoint | undefined>

  constructor(connection: Connection, schema: ProjectionSchema) {
    this.#connection = connection
    this.#reads = new CausalReads(connection)
    this.#schema = schema
    this.#shapes = shapesOf(schema)
    // Every request asks for it first: those that come together share one read.
    this.#readCheckpoint = createSharedCall(() => this.#look())
  }

  /**
   * Rows up to here are whole. Rows of a later commit may already show where it is being written or was interrupted:
   * a reader that bounds its range by the checkpoint's time does not see those that were only added.
   */
  checkpoint(): Promise<Checkpoint | undefined> {
    return this.#readCheckpoint()
  }

  async get(
    collection: string,
    keys: readonly (readonly Value[])[],
    select: readonly string[],
    requestId?: string,
  ): Promise<(Row | undefined)[]> {
    const shape = this.#shape(collection)
    const found = new Map<string, Row>()
    for (let start = 0; start < keys.length; start += getKeysMax) {
      const some = keys.slice(start, start + getKeysMax)
      const filter = shape.filterOfKeys(some, this.#connection.isSharded)
      const documents = await this.#query({ collection, filter, select, limit: some.length, requestId })
      for (const document of documents) found.set(document._id, rowOf(document, select))
    }
    return keys.map((key) => found.get(shape.idOf(key)))
  }

  async find(query: RowQuery, requestId?: string): Promise<Row[]> {
    const { collection, filters = [], descending = false, limit, select } = query
    const found = this.#shape(collection).rangeOf(query)
    if (!found || limit <= 0) return []
    const { field, range } = found
    const filter = { [field]: { $gte: range.lower, $lt: range.upper }, ...filtersOf(filters) }
    const sort = { field, descending }
    const documents = await this.#query({ collection, filter, select, limit, sort, requestId })
    return documents.map((document) => rowOf(document, select))
  }

  async scan(collection: string, after: readonly Value[] | undefined, limit: number): Promise<Row[]> {
    const shape = this.#shape(collection)
    // To MongoDB a limit of 0 is none.
    if (limit <= 0) return []
    const { lower, upper } = shape.rangeBehind(after)
    const sort = { field: '_id', descending: false }
    const filter = { _id: { $gte: lower, $lt: upper } }
    const documents = await this.#query({ collection, filter, select: shape.fields, limit, sort })
    return documents.map((document) => rowOf(document, shape.fields))
  }

  async parkedCount(): Promise<number> {
    const filter = await this.#parkedFilter(0)
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    return filter ? this.#reads.run((settings) => this.#parked.countDocuments(filter, { ...settings, maxTimeMS })) : 0
  }

  async parked(after: Position, limit: number): Promise<ParkedEvent[]> {
    const filter = await this.#parkedFilter(after)
    if (!filter || limit <= 0) return []
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const found = await this.#reads.run((settings) =>
      this.#parked.find(filter, { ...settings, sort: { _id: 1 }, limit, maxTimeMS }).toArray(),
    )
    return found.map(parkedEvent)
  }

  /** The connection belongs to the store. */
  async close(): Promise<void> {}

  async #look(): Promise<Checkpoint | undefined> {
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const projection = { state: 1, life: 1, position: 1, time: 1, whole: 1 }
    const found = (await this.#reads.run((settings) =>
      this.#connection
        .readable(collectionNames.checkpoints)
        .findOne({ _id: instanceName(this.#schema) }, { ...settings, projection, maxTimeMS }),
    )) as Pick<InstanceDocument, 'state' | 'life' | 'position' | 'time' | 'whole'> | null
    if (found === null || found.state === 'removed' || found.position === null) {
      this.#scope = undefined
      return undefined
    }
    this.#scope = scopeOf(this.#schema, found.life)
    return checkpointOf(found)
  }

  async #query({ collection, filter, select, limit, sort, requestId }: Query): Promise<Stored[]> {
    if (this.#scope === undefined) await this.checkpoint()
    if (this.#scope === undefined) return []
    const projection: Record<string, 0 | 1> = sort ? { _id: 0 } : {}
    for (const field of select) projection[field] = 1
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const rows = this.#connection.readable(rowsName(this.#scope, collection))
    return this.#reads.run((settings) =>
      rows
        .find(this.#shape(collection).isFacts ? filter : { ...filter, [deletedField]: null }, {
          ...settings,
          projection,
          ...(sort && { sort: { [sort.field]: sort.descending ? -1 : 1 } }),
          limit,
          batchSize: limit,
          maxTimeMS,
          // The server writes it beside a slow query.
          ...(requestId === undefined ? {} : { comment: requestId }),
        })
        .toArray(),
    )
  }

  async #parkedFilter(after: Position): Promise<object | undefined> {
    const checkpoint = await this.checkpoint()
    return checkpoint && this.#scope !== undefined ? parkedFilter(this.#scope, after, checkpoint.position) : undefined
  }

  get #parked() {
    return this.#connection.readable(collectionNames.parked)
  }

  #shape(collection: string): Shape {
    const shape = this.#shapes.get(collection)
    if (!shape) throw new Error(`${instanceName(this.#schema)} has no collection ${collection}`)
    return shape
  }
}

function filtersOf(filters: readonly RowFilter[]): object {
  if (filters.length === 0) return {}
  return { $and: filters.map(({ field, op, value }) => ({ [field]: conditionOf(op, value) })) }
}

function conditionOf(op: RowFilter['op'], value: RowFilter['value']): object {
  // An absent value is in no set, as in SQL.
  if (op === 'in') return { $in: (value as readonly Value[]).filter((each) => each !== null) }
  return op === 'eq' ? { $eq: value } : { $ne: value }
}
