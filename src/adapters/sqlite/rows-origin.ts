import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { LedgerError } from '#src/domain/errors.ts'
import { instanceName, type ProjectionSchema, type RowsOrigin } from '#src/ports/read-store.ts'

/** Says whose rows a file holds. Files from before it was there have none until their next owner adds it. */
export const originTable =
  'CREATE TABLE IF NOT EXISTS "$origin" (id INTEGER PRIMARY KEY CHECK (id = 1), mark TEXT NOT NULL, model TEXT NOT NULL, log TEXT)'

/** Bytes: enough that no two files of one read model ever have the same. */
const markBytes = 6

/** Of rows that nobody has marked yet. */
const unmarked: RowsOrigin = { mark: '', log: undefined }

/** Marks rows that begin now, or that are from before there were marks. */
export function insertOrigin(database: DatabaseSync, schema: ProjectionSchema): void {
  const mark = randomBytes(markBytes).toString('base64url')
  database.prepare('INSERT OR IGNORE INTO "$origin" VALUES (1, ?, ?, NULL)').run(mark, modelOf(schema))
}

export function claimOrigin(database: DatabaseSync, log: string): void {
  database.prepare('UPDATE "$origin" SET log = ?').run(log)
}

/** Throws `store_damaged` where the rows are those of another read model. */
export function readOrigin(database: DatabaseSync, schema: ProjectionSchema, file: string): RowsOrigin {
  if (!database.prepare(`SELECT 1 FROM sqlite_master WHERE name = '$origin'`).get()) return unmarked
  const row = database.prepare('SELECT mark, model, log FROM "$origin"').get()
  if (row === undefined) return unmarked
  if (row['model'] === modelOf(schema)) return { mark: String(row['mark']), log: textOf(row['log']) }
  const message = `The file ${file} holds the rows of ${row['model']}; ${repairOf(file)}`
  throw new LedgerError('store_damaged', message, { file, instance: instanceName(schema) })
}

/** What makes a read model whole again whose file is not. */
export function repairOf(file: string): string {
  return `build the read model anew with "ledger-history projections rebuild" and promote that, or stop, remove ${file} with its -wal and -shm, and start: it is built again from the log`
}

/** Another build of a version has the same rows. */
function modelOf({ name, version }: ProjectionSchema): string {
  return `${name}@${version}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
