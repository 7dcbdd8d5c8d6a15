import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { writerBusy } from '#src/adapters/sqlite/log-database.ts'
import { fileExists } from '#src/adapters/sqlite/opened-file.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Whether there is a log in a folder. */
export function hasSqliteLog(folder: string): boolean {
  return fileExists(fileOf(folder), 'log_unavailable')
}

/**
 * Removes the log in a folder for good, and the folder where nothing else is in it. Resolves to false where there is no log.
 * Rejects with `log_writer_busy` while somebody writes to it; readers keep what they have open.
 */
export async function removeSqliteLog(folder: string): Promise<boolean> {
  const file = fileOf(folder)
  if (!fileExists(file, 'log_unavailable')) return false
  const lock = takeFileLock(`${file}.writer`, (cause) => writerBusy(file, cause))
  try {
    for (const end of ['-wal', '-shm', '']) rmSync(file + end, { force: true })
  } catch (error) {
    const message = `The log ${file} cannot be removed (${(error as Error).message}); check the permissions of its folder`
    throw new LedgerError('log_unavailable', message, { file }, error)
  } finally {
    lock.release()
  }
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}.writer${end}`, { force: true })
  if (readdirSync(folder).length === 0) rmdirSync(folder)
  return true
}

function fileOf(folder: string): string {
  return join(folder, 'log.sqlite')
}
