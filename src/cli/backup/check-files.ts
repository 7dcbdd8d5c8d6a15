import { dirname } from 'node:path'
import { readSqliteContents } from '#src/adapters/sqlite/content-store.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { faultOf } from '#src/adapters/sqlite/file-snapshot.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { contentsName, controlName, fileIn, labelOf, type Part, schemaOfFile } from '#src/cli/backup/parts.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { scrubRows } from '#src/runtime/replay/scrub.ts'

/**
 * Reads all of a file that was copied: rows and indexes of a read model against their checksums, documents of the plan, decisions; of what
 * this code does not know, pages and indexes. Throws what is wrong, since a copy of it would be no backup.
 */
export async function checkFile(folder: string, part: Part, signal: AbortSignal): Promise<void> {
  const file = fileIn(folder, part.path)
  try {
    const fault = await faultIn(file, part, signal)
    if (fault !== undefined) throw damaged(part, fault)
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code === 'interrupted') throw error
    throw damaged(part, error.message, error)
  }
}

async function faultIn(file: string, { path, unavailable }: Part, signal: AbortSignal): Promise<string | undefined> {
  const schema = schemaOfFile(path)
  if (schema !== undefined) {
    const store = openSqliteReadStore({ folder: dirname(file) })
    const scrubbed = await scrubRows({ store, schema, signal })
    await store.close()
    if (signal.aborted) throw new LedgerError('interrupted', 'Stopped before its end; run the same command again')
    // Never built: there is nothing to read, and nothing that could be wrong.
    return scrubbed?.damage?.message
  }
  const fault = faultOf(file, unavailable)
  if (fault !== undefined) return fault
  if (path.endsWith(`/${controlName}`)) await readDocuments(dirname(file))
  if (path.endsWith(`/${contentsName}`)) readSqliteContents(file)
  else if (path.startsWith('decisions/')) await readDecisions(dirname(file))
  return undefined
}

async function readDocuments(folder: string): Promise<void> {
  const control = openSqliteControlStore({ folder })
  try {
    await control.list('')
  } finally {
    await control.close()
  }
}

async function readDecisions(folder: string): Promise<void> {
  const decisions = openSqliteDecisionStore({ folder })
  try {
    for await (const batch of decisions.readAll({ after: 0, countMax: 1_000, follow: false }))
      if (batch.events.length === 0) return
  } finally {
    await decisions.close()
  }
}

function damaged(part: Part, fault: string, cause?: unknown): LedgerError {
  const isReadModel = part.path.startsWith('store/') && !part.path.endsWith(controlName)
  const way = isReadModel
    ? '; repair it as that says, or leave read models out with --without-read-models. The backup before is as it was'
    : '; the backup before is as it was: restore that'
  const message = `${labelOf(part.path)} is not whole, so it is not backed up: ${fault}${way}`
  return new LedgerError('store_damaged', message, { path: part.path }, cause)
}
