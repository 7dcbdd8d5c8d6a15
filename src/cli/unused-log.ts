import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openLogWriter } from '#src/adapters/sqlite/log-writer.ts'
import { isLedgerError } from '#src/domain/errors.ts'

/**
 * Whether a log holds no block, only what it opens with (at time 0) or nothing, and nobody is about to write one. A log
 * that cannot be opened for writing, say because an importer has it open, counts as used. So does one that is missing
 * beside read models: somebody has moved it away, and may bring it back.
 */
export function isUnusedLog(folders: { readonly log: string; readonly store: string }): boolean {
  if (hasGenerations(folders.log)) return false
  const file = join(folders.log, 'log.sqlite')
  if (!existsSync(file)) return !existsSync(folders.store)
  try {
    const writer = openLogWriter(file, undefined)
    const { sequence, time } = writer.head
    void writer.close()
    return sequence === 0 || time === 0n
  } catch (error) {
    if (isLedgerError(error)) return false
    throw error
  }
}

/** Further generations of the log, in folders of their own: the first one may be gone long since. */
function hasGenerations(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^g\d+$/.test(name))
}
