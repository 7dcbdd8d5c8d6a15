import { DatabaseSync } from 'node:sqlite'
import { createFolderOf, isBusy, translated } from '#src/adapters/sqlite/database.ts'
import { LedgerError } from '#src/domain/errors.ts'

export interface FileLock {
  release(): void
}

/**
 * Takes an exclusive lock on a file of its own, which is created where it is missing; throws `busy()` while somebody else
 * holds it, in this process or another. The system frees it when the process ends, however it ends.
 */
export function takeFileLock(file: string, busy: (cause: unknown) => LedgerError = dataFolderBusy(file)): FileLock {
  return translated(file, 'store_unavailable', () => {
    createFolderOf(file)
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      // Nothing is ever written: the open transaction is the lock.
      database.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      throw isBusy(error) ? busy(error) : error
    }
    return { release: () => database.close() }
  })
}

function dataFolderBusy(file: string): (cause: unknown) => LedgerError {
  return (cause) =>
    new LedgerError(
      'data_folder_busy',
      `Another process holds ${file}; stop it, or choose another folder`,
      { file },
      cause,
    )
}
