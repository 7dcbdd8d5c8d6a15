import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openSqliteContentStore, readSqliteContents } from '#src/adapters/sqlite/content-store.ts'
import { contentHashOf } from '#src/ports/content-store.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

it('never gives another text than the one that was put, and says so when all of it is read', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'contents.sqlite')
  const store = openSqliteContentStore({ folder: folder.path })
  await store.put(['contract A {}', 'contract B {}'])
  readSqliteContents(file)
  const database = new DatabaseSync(file)
  const other = database.prepare('SELECT packed FROM content WHERE hash = ?').get(contentHashOf('contract B {}'))
  const change = database.prepare('UPDATE content SET packed = ? WHERE hash = ?')
  for (const packed of [other!['packed']!, new Uint8Array([1, 2, 3])]) {
    change.run(packed, contentHashOf('contract A {}'))
    await expect(store.get([contentHashOf('contract A {}')])).rejects.toMatchObject({ code: 'decisions_damaged' })
    expect(() => readSqliteContents(file)).toThrow('is not the one that was written')
  }
  database.close()
  await store.close()
  await folder.remove()
})
