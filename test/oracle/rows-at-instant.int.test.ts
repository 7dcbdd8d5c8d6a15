import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import {
  type CollectionSchema,
  type ProjectionSchema,
  type Row,
  type RowQuery,
  type RowReader,
  versionsName,
} from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { importNetwork } from '#test/oracle/imported-network.ts'

const [blocksThen, blocksNow] = [24, 30]
const timeoutMs = 120_000

type Reader = Pick<RowReader, 'get' | 'find'>

const dated = allProjections.flatMap(({ schema }) =>
  Object.entries<CollectionSchema>(schema.collections).flatMap(([collection, shape]) =>
    shape.kind === 'versioned' || shape.time !== undefined
      ? [{ what: `${schema.name}/${collection}`, schema: schema as ProjectionSchema, collection, shape }]
      : [],
  ),
)

/**
 * The same network twice, of which one has gone on: what a request bounded by the first finds in the rows of the second is what it
 * would find in those of the first.
 */
describe('rows at an instant, of read models that are some blocks ahead of it', () => {
  let [then, now]: ImportWorld[] = []

  beforeAll(async () => {
    then = await worldOf(blocksThen)
    now = await worldOf(blocksNow)
  }, timeoutMs)
  afterAll(async () => {
    for (const world of [then, now]) {
      await world?.store.close()
      await world?.log.close()
    }
  })

  const readers = async (schema: ProjectionSchema): Promise<{ expected: Reader; found: Reader; ahead: RowReader }> => {
    const [before, ahead] = [await then!.store.openReader(schema), await now!.store.openReader(schema)]
    const { time } = (await before.checkpoint())!
    return { expected: plain(rowsAt(schema, before, time)), found: plain(rowsAt(schema, ahead, time)), ahead }
  }

  it.each(dated)('$what: every row by its key', async ({ schema, collection, shape }) => {
    const { expected, found, ahead } = await readers(schema)
    const keys = (await ahead.scan(collection, undefined, 100_000)).map((row) => shape.key.map((field) => row[field]!))
    const select = comparedOf(shape)
    const rows = await found.get(collection, keys, select)
    expect(rows.map(shownIn(shape))).toEqual((await expected.get(collection, keys, select)).map(shownIn(shape)))
  })

  it.each(dated)('$what: pages of any order', async ({ schema, collection, shape }) => {
    const { expected, found, ahead } = await readers(schema)
    const all = await ahead.scan(collection, undefined, 100_000)
    // What is found by values that it has no more is asked for by these.
    const former = shape.kind === 'versioned' ? await ahead.scan(versionsName(collection), undefined, 100_000) : []
    for (const query of pagesOf(collection, shape, [...all, ...former])) {
      const [rows, wanted] = [await found.find(query), await expected.find(query)]
      if (!mayMove(query, shape)) expect(rows.map(shownIn(shape))).toEqual(wanted.map(shownIn(shape)))
      else if (rows.length < query.limit)
        expect(wanted.map(shownIn(shape))).toEqual(expect.arrayContaining(rows.map(shownIn(shape))))
    }
  })

  it('leaves something out, else this says nothing', async () => {
    let later = 0
    for (const { schema, collection } of dated) {
      const { found, ahead } = await readers(schema)
      const all = await ahead.scan(collection, undefined, 100_000)
      const index = schema.collections[collection]!.key
      later += all.length - (await found.find({ collection, index, limit: 100_000, select: [...index] })).length
    }
    expect(later).toBeGreaterThan(500)
  })
})

async function worldOf(blocks: number): Promise<ImportWorld> {
  const options = { seed: 'ahead', accounts: 60, transactionsPerSecond: 25, dayBlocks: 5, addressBookUpdateBlocks: 4 }
  const { world } = await importNetwork(options, blocks)
  const { log, store } = world
  await runProjections({ log, store, projections: allProjections, follow: false, strict: true })
  return world
}

function plain(rows: object): Reader {
  return rows as Reader
}

/** Fields of a version at an instant: not those that only the newest one has, nor the nonce, which changes within one. */
function comparedOf(shape: CollectionSchema): string[] {
  const newestOnly = shape.kind === 'versioned' ? (shape.newestOnly ?? []) : []
  return Object.keys(shape.fields).filter((field) => !newestOnly.includes(field) && field !== 'ethereumNonce')
}

/** Of each index all there is, and what is of some of the values that its first two fields have. */
function pagesOf(collection: string, shape: CollectionSchema, rows: readonly Row[]): RowQuery[] {
  const { key, indexes = [] } = shape
  return [key, ...indexes].flatMap((index) => {
    const leading = index.slice(0, index.includes('from') ? 1 : 2)
    const prefixes = rows.slice(0, 200).map((row) => leading.map((field) => row[field]!))
    return [[], ...prefixes].flatMap((prefix) =>
      [2, 100_000].map((limit) => {
        const descending = prefix.length % 2 === 0
        return { collection, index, prefix, descending, limit, select: comparedOf(shape) }
      }),
    )
  })
}

/**
 * A version in an order of fields that change, where neither an index tells of its changes nor rows of what it has left, is found where
 * it is now: what has moved out of a page is missing from it.
 */
function mayMove({ index, prefix = [] }: RowQuery, shape: CollectionSchema): boolean {
  const { kind, key, indexes = [] } = shape
  if (kind !== 'versioned' || index.every((field) => key.includes(field))) return false
  if (prefix.length > 0 && shape.foundBy?.includes(index[0]!)) return false
  return !indexes.some((each) => each.at(-1) === 'from' && prefix.length === 2 && index[0] === each[0])
}

/** Values that compare: the same bytes may be of different kinds of arrays. */
function shownIn(shape: CollectionSchema): (row: Row | undefined) => object | undefined {
  const fields = comparedOf(shape)
  return (row) => {
    if (row === undefined) return undefined
    return Object.fromEntries(
      fields.map((field) => {
        const value = row[field]
        return [field, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value]
      }),
    )
  }
}
