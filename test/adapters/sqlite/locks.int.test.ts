import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { logRecord } from '#test/contract/message-log.contract.ts'
import { sampleSchema } from '#test/contract/read-store.contract.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

describe('locks of the embedded stores', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => folder.remove())

  it('are held by one at a time and can be taken again after release', () => {
    const file = join(folder.path, 'new', 'lock')
    const lock = takeFileLock(file)
    expect(() => takeFileLock(file)).toThrow(expect.objectContaining({ code: 'data_folder_busy' }))
    lock.release()
    takeFileLock(file).release()
  })

  it('name a damaged lock file instead of blaming another process', async () => {
    await writeFile(
      join(folder.path, 'log.sqlite.writer'),
      'this is no database, and long enough to be looked at'.repeat(20),
    )
    const log = openSqliteLog({ folder: folder.path })
    await expect(log.openWriter()).rejects.toThrow(/log\.sqlite\.writer cannot be used: file is not a database/)
    await log.close()
  })

  it('of a writer that could not be opened do not stay behind', async () => {
    const log = openSqliteLog({ folder: folder.path })
    const other = new DatabaseSync(join(folder.path, 'log.sqlite'))
    other.exec('ALTER TABLE writer RENAME COLUMN epoch TO hidden')
    await expect(log.openWriter()).rejects.toThrow()
    other.exec('ALTER TABLE writer RENAME COLUMN hidden TO epoch')
    other.close()
    const writer = await log.openWriter()
    await writer.append([[logRecord(1)]])
    await log.close()
  })

  it('are not the only defence: an owner whose number is no longer current writes nothing', async () => {
    const store = openSqliteReadStore({ folder: folder.path })
    const writer = await store.openWriter(sampleSchema)
    const other = new DatabaseSync(join(folder.path, 'sample@1.sqlite'))
    other.exec('UPDATE "$checkpoint" SET owner = owner + 1')
    other.close()
    const late = writer.commit({ from: 0, to: { position: 1, time: 1n }, puts: [], deletes: [] })
    await expect(late).rejects.toSatisfy((error) => isLedgerError(error, 'owner_fenced'))
    await writer.close()
  })

  it('are not the only defence of the log either', async () => {
    const log = openSqliteLog({ folder: folder.path })
    const writer = await log.openWriter()
    const other = new DatabaseSync(join(folder.path, 'log.sqlite'))
    other.exec('UPDATE writer SET epoch = epoch + 1')
    other.close()
    await expect(writer.append([[logRecord(1)]])).rejects.toSatisfy((error) =>
      isLedgerError(error, 'log_writer_fenced'),
    )
    expect((await log.head()).sequence).toBe(0)
    await log.close()
  })
})

describe('a folder that cannot be made', () => {
  it.skipIf(process.platform !== 'linux')('is said, also where the platform itself would try for ever', () => {
    const file = '/proc/no-such-process/data/lock'
    expect(() => takeFileLock(file)).toThrow(/folder \/proc\/no-such-process\/data cannot be created: ENOENT/)
  })
})
