import { afterEach, expect, it } from 'vitest'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { importStateSchema } from '#src/importer/state/state-schema.ts'
import type { CollectionSchema, FieldKind, ProjectionSchema, Row, Value } from '#src/ports/read-store.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { sampleSchema } from '#test/contract/read-store.contract.ts'
import { describeWithRealMongo } from '#test/support/services.ts'

const schemas: readonly ProjectionSchema[] = [transactionsSchema, blocksSchema, importStateSchema, sampleSchema]

const reads = schemas.flatMap((schema) =>
  Object.entries(schema.collections as Record<string, CollectionSchema>).flatMap(([collection, shape]) =>
    [shape.key, ...(shape.indexes ?? [])].map((index) => ({
      name: `${schema.name}.${collection} by ${index.join(', ')}`,
      schema,
      collection,
      shape,
      index,
    })),
  ),
)

const rowCount = 200

function valueOfKind(kind: FieldKind, seed: number): Value {
  if (kind === 'int64') return BigInt(seed)
  if (kind === 'int32') return seed
  return kind === 'text' ? `text ${seed}` : new Uint8Array([seed])
}

function rowOf({ fields }: CollectionSchema, seed: number): Row {
  return Object.fromEntries(Object.entries(fields).map(([field, kind]) => [field, valueOfKind(kind, seed)]))
}

// The stand-in servers have no plans worth the name.
describeWithRealMongo('MongoDB answers from an index', (mongo) => {
  let database: TestDatabase
  afterEach(() => database.dispose())

  it.each(reads)(
    '$name, in both directions, reading no more than it returns',
    async ({ schema, collection, shape, index }) => {
      database = new TestDatabase(mongo)
      const { readStore } = await database.open()
      const writer = await readStore.openWriter(schema)
      const puts = Array.from({ length: rowCount }, (_, seed) => ({ collection, row: rowOf(shape, seed + 1) }))
      await writer.commit({ from: 0, to: { position: 1, time: 1n }, puts, deletes: [] })
      await database.raw((db) => db.command({ profile: 2 }))
      const reader = await readStore.openReader(schema)
      const select = [shape.key[0] ?? '']
      const lower = { value: valueOfKind(shape.fields[index[0] ?? ''] ?? 'int64', 50), inclusive: true }
      for (const descending of [false, true]) {
        expect(await reader.find({ collection, index, lower, descending, limit: 10, select })).toHaveLength(10)
        await reader.find({ collection, index, prefix: [lower.value], descending, limit: 10, select })
      }
      await reader.scan(collection, undefined, 10)
      await reader.get(collection, [shape.key.map((field) => puts[3]?.row[field] ?? null)], select)
      await database.raw((db) => db.command({ profile: 0 }))
      const plans = await database.raw((db) =>
        db
          .collection('system.profile')
          .find({ op: 'query', ns: { $regex: `${collection}$` } })
          .toArray(),
      )
      expect(plans).toHaveLength(6)
      for (const { planSummary, hasSortStage, docsExamined, nreturned } of plans) {
        expect(planSummary).toMatch(/^(IXSCAN|IDHACK|EXPRESS|CLUSTERED_IXSCAN)/)
        expect(hasSortStage).toBeUndefined()
        expect(Number(docsExamined)).toBeLessThanOrEqual(Number(nreturned) + 1)
      }
    },
  )
})
