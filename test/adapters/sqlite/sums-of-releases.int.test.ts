import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { structureProblem } from '#src/adapters/sqlite/structure.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const fields = { id: 'int64', count: 'int32', size: 'int64', text: 'text' } as const
const schema = {
  name: 'rows',
  version: 1,
  collections: { rows: { kind: 'state', fields, key: ['id'] } },
} as const satisfies ProjectionSchema

const made = 'CREATE TABLE "rows" ("id" INTEGER, "count" INTEGER, "size" INTEGER, "text" TEXT, '

/** A read model whose table a release made, with a row that this one writes into it. */
async function given(columns: string) {
  const place = await temporaryFolder()
  const file = join(place.path, 'rows@1.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`${made}${columns}PRIMARY KEY ("id"))`)
  const store = openSqliteReadStore({ folder: place.path })
  onTestFinished(async () => {
    await store.close()
    database.close()
    await place.remove()
  })
  const writer = await store.openWriter(schema)
  onTestFinished(() => writer.close())
  const row = { id: 1n, count: 2, size: 3n, text: 'memo' }
  const puts = [{ collection: 'rows', row }]
  await writer.commit({ from: 0, to: { position: 1, time: 1n }, puts, deletes: [] })
  const reader = await store.openReader(schema)
  onTestFinished(() => reader.close())
  const read = (select: readonly string[]) => reader.get('rows', [[1n]], select)
  return { database, read, row }
}

it.each([
  { release: 'this one', columns: '"$sums" TEXT NOT NULL, ', sums: { length: 12, column: '$sums' } },
  { release: '0.2.0', columns: '"$sum" TEXT NOT NULL, ', sums: { length: 8, column: '$sum' } },
])('rows in a table of $release are checked', async ({ columns, sums }) => {
  const { database, read, row } = await given(columns)
  expect(structureProblem(database, schema)).toBeUndefined()
  expect(await read(Object.keys(fields))).toEqual([row])
  const stored = database.prepare(`SELECT length(CAST("${sums.column}" AS BLOB)) AS bytes FROM rows`).get()
  expect(stored).toEqual({ bytes: sums.length })
  database.exec('UPDATE rows SET size = 4')
  await expect(read(['size'])).rejects.toMatchObject({ code: 'store_damaged' })
  expect(await read(['text'])).toEqual([{ text: 'memo' }])
})

it('rows in a table of the first releases are read as they are', async () => {
  const { database, read, row } = await given('')
  expect(structureProblem(database, schema)).toBeUndefined()
  database.exec('UPDATE rows SET size = 4')
  expect(await read(Object.keys(fields))).toEqual([{ ...row, size: 4n }])
})
