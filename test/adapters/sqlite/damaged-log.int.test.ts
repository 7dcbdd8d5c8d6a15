import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

it('stops a reader where the log has lost events, naming the first that is missing', async () => {
  const folder = await temporaryFolder()
  const log = openSqliteLog({ folder: folder.path })
  try {
    const writer = await log.openWriter()
    for (const number of [1, 2, 3]) await writer.append([[logRecord(number)]])
    const damage = new DatabaseSync(join(folder.path, 'log.sqlite'))
    damage.exec('DELETE FROM chunk WHERE last_sequence = 2')
    damage.close()
    await expect(readAll(log)).rejects.toMatchObject({ code: 'log_gap', details: { expected: 2, found: 3 } })
    expect(await readAll(log, 2)).toHaveLength(1)
  } finally {
    await log.close()
    await folder.remove()
  }
})
