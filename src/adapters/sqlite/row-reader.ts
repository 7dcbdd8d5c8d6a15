import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { translated } from '#src/adapters/sqlite/database.ts'
import type { ReaderCaches } from '#src/adapters/sqlite/reader-caches.ts'
import {
  bindable,
  int32FieldsOf,
  keyCondition,
  needsBigInts,
  quoted,
  quotedList,
  restoreKinds,
} from '#src/adapters/sqlite/tables.ts'
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
}

interface PreparedQuery {
  readonly statement: StatementSync
  readonly int32: readonly string[]
}

export class SqliteRowReader implements RowReader {
  readonly #options: SqliteRowReaderOptions
  #database: DatabaseSync | undefined
  readonly #prepared = new Map<string, PreparedQuery>()

  constructor(options: SqliteRowReaderOptions) {
    this.#options = options
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.#read(undefined, () => {
      const { statement } = this.#prepare('checkpoint', () => ['SELECT position, time FROM "$checkpoint"', true, []])
      const row = statement.get() as { position: bigint | null; time: bigint | null } | undefined
      return row === undefined || row.position === null
        ? undefined
        : { position: Number(row.position), time: row.time ?? 0n }
    })
  }

  async get(
    collection: string,
    keys: readonly (readonly Value[])[],
    select: readonly string[],
  ): Promise<(Row | undefined)[]> {
    return this.#read(
      keys.map(() => undefined),
      () => {
        this.#keepPages()
        const shape = this.#collection(collection)
        const { statement, int32 } = this.#prepare(`get ${collection} ${select.join()}`, () => [
          `SELECT ${quotedList(select)} FROM ${quoted(collection)} WHERE ${keyCondition(shape.key)}`,
          needsBigInts(shape, select),
          int32FieldsOf(shape, select),
        ])
        return keys.map((key) => {
          const row = statement.get(...bindable(key))
          return row ? restoreKinds([row], int32)[0] : undefined
        })
      },
    )
  }

  async find(query: RowQuery): Promise<Row[]> {
    return this.#read([], () => {
      this.#keepPages()
      const { statement, int32 } = this.#prepare(shapeOf(query), () => {
        const shape = this.#collection(query.collection)
        return [findStatement(query, shape), needsBigInts(shape, query.select), int32FieldsOf(shape, query.select)]
      })
      return restoreKinds(statement.all(...bindable(findValues(query))), int32)
    })
  }

  async scan(collection: string, after: readonly Value[] | undefined, limit: number): Promise<Row[]> {
    return this.#read([], () => {
      const { statement, int32 } = this.#prepare(`scan ${collection} ${after !== undefined}`, () => {
        const shape = this.#collection(collection)
        const fields = Object.keys(shape.fields)
        return [
          scanStatement(collection, shape, after !== undefined),
          needsBigInts(shape, fields),
          int32FieldsOf(shape, fields),
        ]
      })
      return restoreKinds(statement.all(...bindable([...(after ?? []), limit])), int32)
    })
  }

  async parkedCount(): Promise<number> {
    return this.#read(0, () => {
      const { statement } = this.#prepare('parked', () => ['SELECT count(*) AS count FROM "$parked"', false, []])
      return (statement.get() as { count: number }).count
    })
  }

  async parked(after: Position, limit: number): Promise<ParkedEvent[]> {
    return this.#read([], () => {
      const sql = 'SELECT sequence, error FROM "$parked" WHERE sequence > ? ORDER BY sequence LIMIT ?'
      const { statement } = this.#prepare('parked page', () => [sql, false, []])
      return statement.all(after, limit) as unknown as ParkedEvent[]
    })
  }

  async close(): Promise<void> {
    if (!this.#options.owned || !this.#database?.isOpen) return
    this.#options.caches?.leave(this.#database)
    this.#database.close()
  }

  #keepPages(): void {
    if (this.#database !== undefined) this.#options.caches?.join(this.#database)
  }

  #read<T>(absent: T, call: () => T): T {
    return translated(this.#options.file, 'store_unavailable', () => {
      this.#database ??= this.#openBuilt()
      return this.#database ? call() : absent
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
    return built ? database : undefined
  }

  #prepare(shape: string, describe: () => [sql: string, bigInts: boolean, int32: readonly string[]]): PreparedQuery {
    let prepared = this.#prepared.get(shape)
    if (!prepared) {
      const [sql, bigInts, int32] = describe()
      const statement = this.#database!.prepare(sql)
      statement.setReadBigInts(bigInts)
      prepared = { statement, int32: bigInts ? int32 : [] }
      this.#prepared.set(shape, prepared)
    }
    return prepared
  }

  #collection(name: string): CollectionSchema {
    const collection = this.#options.schema.collections[name]
    if (!collection) throw new Error(`projection ${this.#options.schema.name} has no collection ${name}`)
    return collection
  }
}

/** Text that is equal for queries which differ only in values. */
function shapeOf({ collection, index, prefix, lower, upper, descending, filters, select }: RowQuery): string {
  let shape = `${collection}|${index.join()}|${prefix?.length ?? 0}|${boundShape(lower)}${boundShape(upper)}${descending ? 'd' : 'a'}|`
  for (const filter of filters ?? [])
    shape += `${filter.field} ${filter.op} ${Array.isArray(filter.value) ? filter.value.length : filter.value === null},`
  return `${shape}|${select.join()}`
}

function boundShape(bound: RowQuery['lower']): string {
  return bound ? (bound.inclusive ? '=' : '<') : '-'
}

function findStatement(
  { collection, index, prefix = [], lower, upper, descending, filters = [], select }: RowQuery,
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
  return `SELECT ${quotedList(select)} FROM ${quoted(collection)}${where} ORDER BY ${order} LIMIT ?`
}

function scanStatement(name: string, { fields, key }: CollectionSchema, after: boolean): string {
  const where = after ? ` WHERE (${quotedList(key)}) > (${key.map(() => '?').join(', ')})` : ''
  return `SELECT ${quotedList(Object.keys(fields))} FROM ${quoted(name)}${where} ORDER BY ${quotedList(key)} LIMIT ?`
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
