import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import {
  type CollectionSchema,
  type CommitBatch,
  type FieldKind,
  type ProjectionSchema,
  type ReadStore,
  type Row,
  type RowFilter,
  type RowQuery,
  type RowReader,
  type StateSchema,
  type Value,
  type ValueKind,
  valueKind,
} from '#src/ports/read-store.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithMongo } from '#test/support/services.ts'

/** No more than this, however slow the server is; what was tried until then counts. */
const timeLimitMs = 20_000
const runsMax = 40
const rowsMax = 25
const queriesPerRun = 40

/** Few of each kind, so that rows meet; those at which orders and encodings go wrong. */
const values: Readonly<Record<ValueKind, readonly Value[]>> = {
  int64: [-(2n ** 63n), -(2n ** 53n) - 1n, -256n, -1n, 0n, 1n, 255n, 256n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n],
  int32: [-(2 ** 31), -65_536, -1, 0, 1, 255, 256, 2 ** 31 - 1],
  text: ['', ' ', '!', '"', '#', 'A', 'a', 'a!', 'a\u0000', 'ab', '}', '~', '\u007f', 'é', '漢', '\uffff', '\u{1f600}'],
  bytes: ['', '00', '0000', '01', '20', '2000', '7f', '80', 'ff', 'ff00'].map((hex) => Buffer.from(hex, 'hex')),
}
const kinds = Object.keys(values) as ValueKind[]

type Generate = fc.GeneratorValue

const upTo = (g: Generate, max: number): number => g(fc.integer, { min: 0, max })
const oneOf = <T>(g: Generate, list: readonly T[]): T => list[upTo(g, list.length - 1)]!
const some = <T>(g: Generate, list: readonly T[], min: number): T[] =>
  g(() => fc.shuffledSubarray([...list], { minLength: min, maxLength: Math.min(list.length, min + 2) }))

function collectionOf(g: Generate): StateSchema {
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + upTo(g, 3))
  const fields = Object.fromEntries(names.map((name) => [name, oneOf(g, kinds)]))
  const indexes = Array.from({ length: upTo(g, 3) }, () => some(g, names, 1))
  return { kind: 'state', fields, key: some(g, names, 1), indexes }
}

function someValue(g: Generate, kind: FieldKind, nullable: boolean): Value {
  return nullable && upTo(g, 3) === 0 ? null : oneOf(g, values[valueKind(kind)])
}

function rowOf(g: Generate, { fields, key }: CollectionSchema): Row {
  const entries = Object.entries(fields).map(([name, kind]) => [name, someValue(g, kind, !key.includes(name))])
  return Object.fromEntries(entries) as Row
}

function keyOf(g: Generate, { fields, key }: CollectionSchema): Value[] {
  return key.map((field) => someValue(g, fields[field]!, false))
}

const plain = (value: Value | undefined): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
const plainRow = (row: Row | undefined): unknown =>
  row && Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))

/** One or two commits: rows, then some of them again, and some taken away. */
function commitsOf(g: Generate, collection: CollectionSchema, onlyGrows: boolean): CommitBatch[] {
  return [0, 10, 20].slice(0, 1 + upTo(g, 2)).map((from) => {
    const rows = new Map<string, Row>()
    const keyText = (row: Row) => JSON.stringify(collection.key.map((field) => String(plain(row[field]))))
    for (let count = upTo(g, rowsMax); count > 0; count--) {
      const row = rowOf(g, collection)
      rows.set(keyText(row), row)
    }
    const deletes = new Map<string, Value[]>()
    for (let count = onlyGrows ? 0 : upTo(g, 4); count > 0; count--) {
      const key = keyOf(g, collection)
      const text = JSON.stringify(key.map((value) => String(plain(value))))
      if (!rows.has(text)) deletes.set(text, key)
    }
    return {
      from,
      to: { position: from + 10, time: BigInt(from) },
      puts: [...rows.values()].map((row) => ({ collection: 'rows', row })),
      deletes: [...deletes.values()].map((key) => ({ collection: 'rows', key })),
    }
  })
}

function filterOf(g: Generate, { fields }: CollectionSchema): RowFilter {
  const field = oneOf(g, Object.keys(fields))
  const kind = fields[field]!
  const op = oneOf(g, ['eq', 'ne', 'in'] as const)
  if (op !== 'in') return { field, op, value: someValue(g, kind, true) }
  return { field, op, value: Array.from({ length: upTo(g, 3) }, () => someValue(g, kind, true)) }
}

function queryOf(g: Generate, collection: CollectionSchema): RowQuery {
  const { fields, key, indexes = [] } = collection
  const index = oneOf(g, [key, key.slice(0, 1), ...indexes])
  const prefix = index.slice(0, upTo(g, index.length)).map((field) => someValue(g, fields[field]!, upTo(g, 9) === 0))
  const ranged = index[prefix.length]
  const bound = () => ({ value: someValue(g, fields[ranged!]!, upTo(g, 9) === 0), inclusive: upTo(g, 1) === 0 })
  return {
    collection: 'rows',
    index,
    prefix,
    ...(ranged !== undefined && upTo(g, 1) === 0 ? { lower: bound() } : {}),
    ...(ranged !== undefined && upTo(g, 1) === 0 ? { upper: bound() } : {}),
    descending: upTo(g, 1) === 0,
    filters: Array.from({ length: Math.max(upTo(g, 3) - 1, 0) }, () => filterOf(g, collection)),
    limit: oneOf(g, [0, 1, 3, 100]),
    select: some(g, Object.keys(fields), 1),
  }
}

/** A way to ask both stores the same. */
function askingOf(
  g: Generate,
  collection: CollectionSchema,
): [question: unknown, ask: (of: RowReader) => Promise<unknown>] {
  const fields = Object.keys(collection.fields)
  const how = upTo(g, 5)
  if (how === 0) {
    const keys = Array.from({ length: upTo(g, 4) }, () => keyOf(g, collection))
    return [{ get: keys }, async (reader) => (await reader.get('rows', keys, fields)).map(plainRow)]
  }
  if (how === 1) {
    const after = upTo(g, 1) === 0 ? undefined : keyOf(g, collection)
    const limit = oneOf(g, [0, 1, 5, 100])
    return [{ scan: { after, limit } }, async (reader) => (await reader.scan('rows', after, limit)).map(plainRow)]
  }
  const query = queryOf(g, collection)
  return [{ find: query }, async (reader) => (await reader.find(query)).map(plainRow)]
}

async function fill(store: ReadStore, schema: ProjectionSchema, commits: readonly CommitBatch[]): Promise<RowReader> {
  const writer = await store.openWriter(schema)
  for (const commit of commits) await writer.commit(commit)
  await writer.close()
  return store.openReader(schema)
}

describeWithMongo('MongoDB beside SQLite', (mongo) => {
  let database: TestDatabase
  let stores: readonly ReadStore[] = []
  beforeAll(async () => {
    database = new TestDatabase(mongo)
    stores = [openSqliteReadStore({ folder: ':memory:' }), (await database.open()).readStore]
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await database.dispose()
  })

  it('answers every question alike, whatever the schema, the rows and the order', {
    timeout: 3 * timeLimitMs,
  }, async () => {
    let version = 0
    const property = fc.asyncProperty(fc.gen(), async (g) => {
      const onlyGrows = upTo(g, 1) === 0
      const rows = collectionOf(g)
      const schema: ProjectionSchema = {
        name: 'random',
        version: ++version,
        collections: { rows: onlyGrows ? { ...rows, kind: 'facts', untimed: 'sample' } : { ...rows, kind: 'state' } },
      }
      const commits = commitsOf(g, rows, onlyGrows)
      const [embedded, other] = await Promise.all(stores.map((store) => fill(store, schema, commits)))
      for (let count = 0; count < queriesPerRun; count++) {
        const [question, ask] = askingOf(g, rows)
        const [expected, found] = [await ask(embedded!), await ask(other!)]
        expect({ rows, question, answer: found }).toEqual({ rows, question, answer: expected })
      }
    })
    const limits = { interruptAfterTimeLimit: timeLimitMs, markInterruptAsFailure: false }
    await fc.assert(property, { numRuns: runsMax, endOnFailure: true, ...limits })
    expect(version).toBeGreaterThan(0)
  })
})
