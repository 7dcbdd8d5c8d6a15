import { expect, it, onTestFinished } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const schemas = ['a', 'b', 'c', 'd'].map(
  (name): ProjectionSchema => ({
    name,
    version: 1,
    collections: { rows: { kind: 'state', fields: { id: 'int64', text: 'text' }, key: ['id'] } },
  }),
)
const bytesMax = 400 << 10

it('shares one budget among the readers of however many read models, once they read rows', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  const store = openSqliteReadStore({ folder: folder.path, readersCacheBytes: bytesMax })
  for (const schema of schemas) {
    const writer = await store.openWriter(schema)
    const puts = Array.from({ length: 500 }, (_, id) => ({
      collection: 'rows',
      row: { id: BigInt(id), text: 'x'.repeat(1_000) },
    }))
    await writer.commit({ from: 0, to: { position: 1, time: 1n }, puts, deletes: [] })
    await writer.close()
  }
  expect(store.readersCache).toEqual({ bytes: 0, bytesMax })
  const readers = await Promise.all(schemas.map((schema) => store.openReader(schema)))
  for (const reader of readers) await reader.checkpoint()
  expect(store.readersCache.bytes).toBe(0)
  for (const reader of readers) {
    expect(await reader.find({ collection: 'rows', index: ['id'], limit: 500, select: ['id'] })).toHaveLength(500)
    // Each file is larger than the budget, so the shares add up to it, with one reader as with four.
    expect(bytesMax - store.readersCache.bytes).toBeLessThan(readers.length)
  }
  for (const reader of readers.slice(1)) await reader.close()
  expect(bytesMax - store.readersCache.bytes).toBeLessThan(readers.length)
  await readers[0]?.close()
  expect(store.readersCache.bytes).toBe(0)
  await store.close()
})
