import { CausalReads } from '#src/adapters/mongodb/causal-reads.ts'
import { assertMarked, wholeRow } from '#src/adapters/mongodb/collection-marks.ts'
import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import {
  areKnown,
  checkpointOf,
  collectionNames,
  type InstanceDocument,
  originOf,
  rowsName,
  scopeOf,
} from '#src/adapters/mongodb/instance.ts'
import { read } from '#src/adapters/mongodb/ownership.ts'
import { parkedEvent, parkedFilter } from '#src/adapters/mongodb/parked-events.ts'
import { type RowSelection, selectRows, selectUnchecked } from '#src/adapters/mongodb/row-selection.ts'
import { deletedField, type Shape, shapesOf } from '#src/adapters/mongodb/shape.ts'
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
  type RowsOrigin,
  type Value,
} from '#src/ports/read-store.ts'

/** Keys asked for in one call. */
const getKeysMax = 1_000
/** How often it is looked whether the collections are those that were made. */
const marksEveryMs = 2_000

type OriginDocument = Pick<InstanceDocument, 'state' | 'mark' | 'log' | 'life' | 'marked' | 'epoch' | 'knownEpoch'>
type CheckpointDocument = Pick<
  InstanceDocument,
  'state' | 'life' | 'position' | 'time' | 'whole' | 'sums' | 'epoch' | 'knownEpoch'
>

interface Sort {
  readonly field: string
  readonly descending: boolean
}

interface Query {
  readonly collection: string
  readonly filter: object
  readonly select: readonly string[]
  /** Fields with the texts that lead to the rows. */
  readonly through: readonly string[]
  readonly limit: number
  readonly sort?: Sort
  readonly requestId?: string | undefined
}

interface Found {
  readonly documents: readonly Stored[]
  readonly rowOf: (document: Stored) => Row
}

/** Each read is one query over one index, with only the fields that are asked for. */
export class MongoRowReader implements RowReader {
  readonly #connection: Connection
  readonly #reads: CausalReads
  readonly #schema: ProjectionSchema
  readonly #shapes: ReadonlyMap<string, Shape>
  /** Where the rows of the life seen last are; undefined while there is none. */
  #scope: string | undefined
  /** Whether the rows of that life carry checksums. */
  #hasSums = false
  readonly #selections = new Map<string, RowSelection>()
  readonly #readCheckpoint: () => Promise<Checkpoint | undefined>
  #marksSeenMs = Number.NEGATIVE_INFINITY

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

  async origin(): Promise<RowsOrigin | undefined> {
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const projection = { state: 1, mark: 1, log: 1, life: 1, marked: 1, epoch: 1, knownEpoch: 1 }
    const found = (await this.#reads.run((settings) =>
      this.#connection
        .readable(collectionNames.checkpoints)
        .findOne({ _id: instanceName(this.#schema) }, { ...settings, projection, maxTimeMS }),
    )) as OriginDocument | null
    if (found === null || found.state === 'removed') return undefined
    if (performance.now() - this.#marksSeenMs >= marksEveryMs) await this.#assertMarked(found)
    return originOf(found)
  }

  async check(): Promise<void> {
    this.#marksSeenMs = Number.NEGATIVE_INFINITY
    await this.origin()
  }

  /** What is removed while it is looked at is no damage. */
  async #assertMarked(found: OriginDocument): Promise<void> {
    const { life, marked } = found
    if (!marked || !areKnown(found)) return
    try {
      await assertMarked(this.#connection, this.#schema, life)
      this.#marksSeenMs = performance.now()
    } catch (error) {
      const now = await read(this.#connection, this.#schema)
      if (now?.life === life && now.state !== 'removed') throw error
    }
  }

  async get(
    collection: string,
    keys: readonly (readonly Value[])[],
    select: readonly string[],
    requestId?: string,
  ): Promise<(Row | undefined)[]> {
    const shape = this.#shape(collection)
    const through = ['_id']
    const found = new Map<string, Row>()
    for (let start = 0; start < keys.length; start += getKeysMax) {
      const some = keys.slice(start, start + getKeysMax)
      const filter = shape.filterOfKeys(some, this.#connection.isSharded)
      const { documents, rowOf } = await this.#query({
        collection,
        filter,
        select,
        through,
        limit: some.length,
        requestId,
      })
      for (const document of documents) found.set(document._id, rowOf(document))
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
    const through = [field]
    const { documents, rowOf } = await this.#query({ collection, filter, select, through, limit, sort, requestId })
    return documents.map(rowOf)
  }

  async scan(collection: string, after: readonly Value[] | undefined, limit: number): Promise<Row[]> {
    const shape = this.#shape(collection)
    // To MongoDB a limit of 0 is none.
    if (limit <= 0) return []
    const { lower, upper } = shape.rangeBehind(after)
    const sort = { field: '_id', descending: false }
    const filter = { _id: { $gte: lower, $lt: upper } }
    const through = ['_id', ...shape.indexNames]
    const { documents, rowOf } = await this.#query({ collection, filter, select: shape.fields, through, limit, sort })
    return documents.map(rowOf)
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
    const projection = { state: 1, life: 1, position: 1, time: 1, whole: 1, sums: 1, epoch: 1, knownEpoch: 1 }
    const found = (await this.#reads.run((settings) =>
      this.#connection
        .readable(collectionNames.checkpoints)
        .findOne({ _id: instanceName(this.#schema) }, { ...settings, projection, maxTimeMS }),
    )) as CheckpointDocument | null
    if (found === null || found.state === 'removed' || found.position === null) {
      this.#scope = undefined
      return undefined
    }
    this.#scope = scopeOf(this.#schema, found.life)
    this.#hasSums = found.sums === true && areKnown(found)
    return checkpointOf(found)
  }

  async #query({ collection, filter, select, through, limit, sort, requestId }: Query): Promise<Found> {
    if (this.#scope === undefined) await this.checkpoint()
    const { projection, rowOf } = this.#selectionOf(collection, select, through)
    const found = (documents: Stored[]): Found => ({
      documents,
      rowOf: (document) => wholeRow(this.#schema, () => rowOf(document)),
    })
    if (this.#scope === undefined) return found([])
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const rows = this.#connection.readable(rowsName(this.#scope, collection))
    const documents = await this.#reads.run((settings) =>
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
    return found(documents)
  }

  #selectionOf(collection: string, select: readonly string[], through: readonly string[]): RowSelection {
    const key = `${collection} ${this.#hasSums} ${select.join()} ${through.join()}`
    const known = this.#selections.get(key)
    if (known !== undefined) return known
    const made = this.#hasSums ? selectRows(this.#shape(collection), select, through) : selectUnchecked(select, through)
    this.#selections.set(key, made)
    return made
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
