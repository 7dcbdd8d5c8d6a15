import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RowSums } from '#src/adapters/row-sums.ts'
import { type CheckpointRow, checkpointOf, checkpointQuery } from '#src/adapters/sqlite/checkpoint-row.ts'
import { storeDamaged, translated } from '#src/adapters/sqlite/database.ts'
import { OpenedFile } from '#src/adapters/sqlite/opened-file.ts'
import { ByFields, formOf, hasForm, type QueryForm } from '#src/adapters/sqlite/query-forms.ts'
import type { ReaderCaches } from '#src/adapters/sqlite/reader-caches.ts'
import { readOrigin } from '#src/adapters/sqlite/rows-origin.ts'
import { type Check, type RowSelection, selectRows } from '#src/adapters/sqlite/select-rows.ts'
import { structureProblem } from '#src/adapters/sqlite/structure.ts'
import { bindable, keyCondition, quoted, quotedList, sumsIn } from '#src/adapters/sqlite/tables.ts'
import type { Position } from '#src/ports/message-log.ts'
import type {
  Checkpoint,
  CollectionSchema,
  ParkedEvent,
  ProjectionSchema,
  Row,
  RowFilter,
  RowQuery,
  RowReader,
  RowsOrigin,
  Value,
} from '#src/ports/read-store.ts'

export interface SqliteRowReaderOptions {
  readonly schema: ProjectionSchema
  readonly file: string
  /** Whether closing the reader closes the database. */
  readonly owned: boolean
  /** The database, or undefined while this version was never built. */
  readonly open: () => DatabaseSync | undefined
  /** What it shares for its pages once it reads rows, where it has a database of its own. */
  readonly caches?: ReaderCaches
  /** Whether reads of one turn of the event loop are one transaction, which only a database of its own can be held in. */
  readonly byTurns?: boolean
}

/**
 * The sign hides the parameter from the planner: a limit that it sees is part of its plan, and the statement is then prepared
 * anew at each call, which costs more than reading a row.
 */
const limitClause = 'LIMIT +?'

interface PreparedQuery {
  /** Returns arrays. */
  readonly statement: StatementSync
  readonly rowOf: RowSelection['rowOf']
}

interface PreparedFind extends PreparedQuery {
  readonly form: QueryForm
}

interface DescribedQuery {
  readonly shape: Pick<CollectionSchema, 'fields'>
  readonly check?: Check | undefined
  readonly select: readonly string[]
  /** What stands behind FROM. */
  readonly from: string
}

/** Fewer reads by key than this are not worth a transaction. */
const togetherMin = 3

export class SqliteRowReader implements RowReader {
  readonly #options: SqliteRowReaderOptions
  #database: DatabaseSync | undefined
  readonly #prepared = new Map<string, PreparedQuery>()
  readonly #sums = new Map<string, RowSums>()
  readonly #gets = new ByFields<PreparedQuery>()
  readonly #finds = new ByFields<PreparedFind>()
  #readCheckpoint: StatementSync | undefined
  #begin: StatementSync | undefined
  #commit: StatementSync | undefined
  #countParked: StatementSync | undefined
  #inTurn = false
  /** Of the turn's transaction. */
  #newestTime: bigint | undefined
  /** The file as it was when it was opened. */
  #opened: OpenedFile | undefined
  #origin: RowsOrigin | undefined

  constructor(options: SqliteRowReaderOptions) {
    this.#options = options
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.#read(
      () => undefined,
      () => {
        if (this.#readCheckpoint === undefined) {
          this.#readCheckpoint = this.#database!.prepare(checkpointQuery)
          this.#readCheckpoint.setReadBigInts(true)
        }
        const checkpoint = checkpointOf(this.#readCheckpoint.get() as CheckpointRow | undefined)
        if (this.#inTurn) this.#newestTime = checkpoint?.time
        return checkpoint
      },
    )
  }

  newestTime(): bigint | undefined {
    return this.#newestTime
  }

  async origin(): Promise<RowsOrigin | undefined> {
    const { schema, file } = this.#options
    const harm = this.#opened?.harm
    if (harm !== undefined) throw storeDamaged(file, harm)
    if (this.#opened?.isRemoved) return undefined
    if (this.#origin?.log !== undefined) return this.#origin
    this.#origin = this.#read(
      () => undefined,
      () => readOrigin(this.#database!, schema, file),
    )
    return this.#origin
  }

  async get(
    collection: string,
    keys: readonly (readonly Value[])[],
    select: readonly string[],
  ): Promise<(Row | undefined)[]> {
    return this.#read(
      () => keys.map(() => undefined),
      () => {
        this.#keepPages()
        const { statement, rowOf } = this.#prepareGet(collection, select)
        const readAll = () =>
          keys.map((key) => {
            const values = statement.get(...bindable(key)) as unknown as readonly unknown[] | undefined
            return values && rowOf(values)
          })
        return keys.length < togetherMin ? readAll() : this.#together(readAll)
      },
    )
  }

  async find(query: RowQuery): Promise<Row[]> {
    return this.#read(
      () => [],
      () => {
        this.#keepPages()
        return rowsOf(this.#prepareFind(query), findValues(query))
      },
    )
  }

  async scan(collection: string, after: readonly Value[] | undefined, limit: number): Promise<Row[]> {
    return this.#read(
      () => [],
      () => {
        const prepared = this.#prepare(`scan ${collection} ${after !== undefined}`, () => {
          const shape = this.#collection(collection)
          const from = scanClauses(collection, shape, after !== undefined)
          return { shape, check: this.#check(collection), select: Object.keys(shape.fields), from }
        })
        return rowsOf(prepared, [...(after ?? []), limit])
      },
    )
  }

  async check(): Promise<void> {
    const { file, schema } = this.#options
    const problem = this.#read(
      () => undefined,
      () => structureProblem(this.#database!, schema),
    )
    if (problem !== undefined) throw storeDamaged(file, problem)
  }

  async parkedCount(): Promise<number> {
    return this.#read(
      () => 0,
      () => {
        this.#countParked ??= this.#database!.prepare('SELECT count(*) AS count FROM "$parked"')
        return (this.#countParked.get() as { count: number }).count
      },
    )
  }

  async parked(after: Position, limit: number): Promise<ParkedEvent[]> {
    return this.#read(
      () => [],
      () => {
        const prepared = this.#prepare('parked', () => parkedQuery)
        return rowsOf(prepared, [after, limit]) as unknown as ParkedEvent[]
      },
    )
  }

  async close(): Promise<void> {
    if (!this.#options.owned || !this.#database?.isOpen) return
    this.#options.caches?.leave(this.#database)
    this.#database.close()
  }

  #keepPages(): void {
    if (this.#database !== undefined) this.#options.caches?.join(this.#database)
  }

  #read<T>(absent: () => T, call: () => T): T {
    return translated(this.#options.file, 'store_unavailable', () => {
      this.#database ??= this.#openBuilt()
      if (this.#database === undefined) return absent()
      if (this.#options.byTurns && !this.#inTurn) this.#beginTurn()
      return call()
    })
  }

  /** Opens the database once its tables exist: the file appears a moment before them. */
  #openBuilt(): DatabaseSync | undefined {
    const database = this.#options.open()
    if (!database) return undefined
    let built = false
    try {
      built = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = '$parked'`).get() !== undefined
    } finally {
      if (!built && this.#options.owned) database.close()
    }
    if (!built) return undefined
    this.#opened = new OpenedFile(this.#options.file, 'store_unavailable')
    return database
  }

  /** Several reads as one transaction: each by itself would take the lock of the file and give it back. */
  #together<T>(reads: () => T): T {
    // In memory, a writer shares the database, and may be within one of its own.
    if (this.#database!.isTransaction) return reads()
    this.#beginTransaction()
    try {
      return reads()
    } finally {
      this.#endTransaction()
    }
  }

  #beginTurn(): void {
    this.#beginTransaction()
    this.#inTurn = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#inTurn = false
    this.#newestTime = undefined
    if (this.#database?.isOpen) this.#endTransaction()
  }

  #beginTransaction(): void {
    this.#begin ??= this.#database!.prepare('BEGIN')
    this.#begin.run()
  }

  #endTransaction(): void {
    // What went wrong may have ended it.
    if (!this.#database!.isTransaction) return
    this.#commit ??= this.#database!.prepare('COMMIT')
    this.#commit.run()
  }

  #prepareGet(collection: string, select: readonly string[]): PreparedQuery {
    const known = this.#gets.of(collection, select)
    const [before] = known
    if (before !== undefined) return before
    const shape = this.#collection(collection)
    const prepared = this.#prepareNew({
      shape,
      check: this.#check(collection),
      select,
      from: `${quoted(collection)} WHERE ${keyCondition(shape.key)}`,
    })
    known.push(prepared)
    return prepared
  }

  #prepareFind(query: RowQuery): PreparedQuery {
    const known = this.#finds.of(query.collection, query.select)
    const before = known.find(({ form }) => hasForm(query, form))
    if (before !== undefined) return before
    const shape = this.#collection(query.collection)
    const check = this.#check(query.collection, query.index)
    const prepared = this.#prepareNew({ shape, check, select: query.select, from: findClauses(query, shape) })
    const made = { ...prepared, form: formOf(query) }
    known.push(made)
    return made
  }

  #prepare(key: string, describe: () => DescribedQuery): PreparedQuery {
    let prepared = this.#prepared.get(key)
    if (!prepared) {
      prepared = this.#prepareNew(describe())
      this.#prepared.set(key, prepared)
    }
    return prepared
  }

  #prepareNew({ shape, check, select, from }: DescribedQuery): PreparedQuery {
    const { columns, bigInts, rowOf } = selectRows(shape, select, check)
    const statement = this.#database!.prepare(`SELECT ${columns} FROM ${from}`)
    statement.setReadBigInts(bigInts)
    statement.setReturnArrays(true)
    return { statement, rowOf }
  }

  #check(collection: string, also: readonly string[] = []): Check | undefined {
    const known = this.#sums.get(collection)
    const sums = known ?? sumsIn(this.#database!, collection, this.#collection(collection))
    if (sums !== undefined && known === undefined) this.#sums.set(collection, sums)
    return sums && { sums, also }
  }

  #collection(name: string): CollectionSchema {
    const collection = this.#options.schema.collections[name]
    if (!collection) throw new Error(`projection ${this.#options.schema.name} has no collection ${name}`)
    return collection
  }
}

const parkedQuery: DescribedQuery = {
  shape: { fields: { sequence: 'int32', error: 'text' } },
  select: ['sequence', 'error'],
  from: `"$parked" WHERE sequence > ? ORDER BY sequence ${limitClause}`,
}

/** Statements give arrays here, which the driver's types do not know. */
function rowsOf({ statement, rowOf }: PreparedQuery, values: readonly Value[]): Row[] {
  const rows = statement.all(...bindable(values)) as unknown as (readonly unknown[])[]
  return rows.map(rowOf)
}

function findClauses(
  { collection, index, prefix = [], lower, upper, descending, filters = [] }: RowQuery,
  { key }: CollectionSchema,
): string {
  const conditions = index.slice(0, prefix.length).map((field) => `${quoted(field)} = ?`)
  const ranged = index[prefix.length]
  if (lower || upper) {
    if (ranged === undefined) throw new Error(`a range on ${collection} needs an index field after the prefix`)
    if (lower) conditions.push(`${quoted(ranged)} ${lower.inclusive ? '>=' : '>'} ?`)
    if (upper) conditions.push(`${quoted(ranged)} ${upper.inclusive ? '<=' : '<'} ?`)
  }
  for (const filter of filters) conditions.push(filterCondition(filter))
  const direction = descending ? ' DESC' : ''
  const order = [...new Set([...index, ...key])].map((field) => quoted(field) + direction).join(', ')
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return `${quoted(collection)}${where} ORDER BY ${order} ${limitClause}`
}

function scanClauses(name: string, { key }: CollectionSchema, after: boolean): string {
  const where = after ? ` WHERE (${quotedList(key)}) > (${key.map(() => '?').join(', ')})` : ''
  return `${quoted(name)}${where} ORDER BY ${quotedList(key)} ${limitClause}`
}

function filterCondition({ field, op, value }: RowFilter): string {
  // The unary plus keeps the planner on the index that the caller chose.
  const column = `+${quoted(field)}`
  if (op === 'in') return `${column} IN (${(value as readonly Value[]).map(() => '?').join(', ')})`
  return `${column} ${op === 'eq' ? 'IS' : 'IS NOT'} ?`
}

function findValues({ prefix = [], lower, upper, filters = [], limit }: RowQuery): Value[] {
  const values: Value[] = [...prefix]
  if (lower) values.push(lower.value)
  if (upper) values.push(upper.value)
  for (const { value } of filters) {
    if (Array.isArray(value)) values.push(...value)
    else values.push(value as Value)
  }
  values.push(limit)
  return values
}
