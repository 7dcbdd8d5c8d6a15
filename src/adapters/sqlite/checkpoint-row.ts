import type { DatabaseSync } from 'node:sqlite'
import type { Checkpoint } from '#src/ports/read-store.ts'

/** The row of a checkpoint, integers as bigint. Files of earlier releases have fewer columns until they are written again. */
export interface CheckpointRow {
  readonly owner: bigint
  readonly position: bigint | null
  readonly time: bigint | null
  readonly whole_position?: bigint | null
  readonly whole_time?: bigint | null
}

export const checkpointQuery = 'SELECT * FROM "$checkpoint"'
export const moveCheckpoint = 'UPDATE "$checkpoint" SET position = ?, time = ?, whole_position = ?, whole_time = ?'

const laterColumns = ['whole_position', 'whole_time']

/** Statements that make what is not there. */
export function createCheckpoint(database: DatabaseSync): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS "$checkpoint" (id INTEGER PRIMARY KEY CHECK (id = 1), owner INTEGER NOT NULL, position INTEGER, time INTEGER)',
  )
  const known = database.prepare(`SELECT name FROM pragma_table_info('$checkpoint')`).all()
  for (const column of laterColumns)
    if (!known.some(({ name }) => name === column))
      database.exec(`ALTER TABLE "$checkpoint" ADD COLUMN ${column} INTEGER`)
  database.exec('INSERT OR IGNORE INTO "$checkpoint" (id, owner) VALUES (1, 0)')
}

/** undefined before the first commit. */
export function checkpointOf(row: CheckpointRow | undefined): Checkpoint | undefined {
  if (row === undefined || row.position === null) return undefined
  const { position, time, whole_position: end, whole_time: endTime } = row
  const whole = end == null || endTime == null ? undefined : { position: Number(end), time: endTime }
  return { position: Number(position), time: time ?? 0n, ...(whole && { whole }) }
}

/** Values of `moveCheckpoint`. */
export function checkpointValues({ position, time, whole }: Checkpoint): (number | bigint | null)[] {
  return [position, time, whole?.position ?? null, whole?.time ?? null]
}
