import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { fieldsChecksum } from '#src/adapters/sqlite/checksum.ts'
import { logDamaged } from '#src/adapters/sqlite/log-damage.ts'
import type { Position } from '#src/ports/message-log.ts'

/** What a log says of itself, in a row apart from its chunks. */
export interface LogLabel {
  /** Made up when the log was: no other log has it. */
  readonly identity: string
  /** Events up to here were written before chunks had checksums; 0 in every log that began with them. */
  readonly uncheckedThrough: Position
  /** Newest event. Told here as well, since a tree that lost its last leaf would look like a shorter log. */
  readonly last: Position
}

export const labelTable =
  'CREATE TABLE IF NOT EXISTS label (id INTEGER PRIMARY KEY CHECK (id = 1), identity TEXT NOT NULL, unchecked_through INTEGER NOT NULL, last INTEGER NOT NULL, checksum BLOB NOT NULL)'

/** Columns of the label for a statement that `labelOf` reads the row of. */
export const labelColumns = 'identity, unchecked_through, last, label.checksum AS label_checksum'

export interface LabelRow {
  readonly identity: string
  readonly unchecked_through: number | bigint
  readonly last: number | bigint
  readonly label_checksum: Uint8Array
}

/** Throws `log_damaged` where the row is missing or not as it was written. */
export function labelOf(file: string, row: LabelRow | undefined): LogLabel {
  if (row === undefined) throw logDamaged(file, 'the row that tells which log it is has gone')
  const label = {
    identity: String(row.identity),
    uncheckedThrough: Number(row.unchecked_through),
    last: Number(row.last),
  }
  if (!checksumOf(label).equals(asBytes(row.label_checksum)))
    throw logDamaged(file, 'the row that tells which log it is and where it ends does not have its checksum')
  return label
}

export function createLabelReader(file: string, database: DatabaseSync): () => LogLabel {
  const statement = database.prepare(`SELECT ${labelColumns} FROM label`)
  // A damaged number may be greater than a double holds.
  statement.setReadBigInts(true)
  return () => labelOf(file, statement.get() as LabelRow | undefined)
}

export function createLabelWriter(database: DatabaseSync): (label: LogLabel) => void {
  const statement = database.prepare('UPDATE label SET last = ?, checksum = ?')
  return (label) => void statement.run(label.last, checksumOf(label))
}

/** Of a log that begins now, or of one whose chunks have no checksums yet. */
export function insertLabel(database: DatabaseSync, uncheckedThrough: Position): void {
  insertSameLabel(database, { identity: randomUUID(), uncheckedThrough, last: uncheckedThrough })
}

/** Of a copy: it is the same log. Without effect where there is a label. */
export function insertSameLabel(database: DatabaseSync, label: LogLabel): void {
  database
    .prepare('INSERT OR IGNORE INTO label VALUES (1, ?, ?, ?, ?)')
    .run(label.identity, label.uncheckedThrough, label.last, checksumOf(label))
}

function checksumOf({ identity, uncheckedThrough, last }: LogLabel): Buffer {
  return fieldsChecksum([identity, uncheckedThrough, last])
}

/** A damaged row may hold anything in any column. */
function asBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.alloc(0)
}
