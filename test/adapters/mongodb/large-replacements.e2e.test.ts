import { afterEach, expect, it } from 'vitest'
import type { ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithMongo } from '#test/support/services.ts'

/** More than some servers have connections to their own files. */
const rows = 250

const schemas: ProjectionSchema[] = ['one', 'two'].map((name) => ({
  name,
  version: 1,
  collections: { rows: { kind: 'state', fields: { id: 'int32', text: 'text' }, key: ['id'] } },
}))

describeWithMongo('a commit that replaces hundreds of rows', (mongo) => {
  let database: TestDatabase
  afterEach(() => database.dispose())

  it('comes through beside another one like it', async () => {
    database = new TestDatabase(mongo)
    // A call of the test's own times is too short for so much on a slow server; a server that stands still takes for ever.
    const { readStore } = await database.open({ leaseMs: 10_000, heartbeatMs: 1_000 })
    await Promise.all(schemas.map((schema) => writeTwice(readStore, schema)))
    for (const schema of schemas) {
      const reader = await readStore.openReader(schema)
      const found = await reader.scan('rows', undefined, rows + 1)
      expect(found.map(({ text }) => text)).toEqual(Array.from({ length: rows }, () => 'text 2'))
      await reader.close()
    }
  }, 60_000)
})

async function writeTwice(store: ReadStore, schema: ProjectionSchema): Promise<void> {
  const writer = await store.openWriter(schema)
  for (const position of [1, 2]) {
    const puts = Array.from({ length: rows }, (_, id) => ({
      collection: 'rows',
      row: { id, text: `text ${position}` },
    }))
    await writer.commit({ from: position - 1, to: { position, time: 0n }, puts, deletes: [] })
  }
  await writer.close()
}
