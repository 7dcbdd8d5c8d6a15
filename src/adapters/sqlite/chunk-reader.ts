import type { DatabaseSync } from 'node:sqlite'
import { chunkChecksum } from '#src/adapters/sqlite/checksum.ts'
import { unpackRecords } from '#src/adapters/sqlite/chunk.ts'
import { translated } from '#src/adapters/sqlite/database.ts'
import { logDamaged } from '#src/adapters/sqlite/log-damage.ts'
import { createLabelReader, type LogLabel } from '#src/adapters/sqlite/log-label.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Position, StoredRecord } from '#src/ports/message-log.ts'

export interface ReadChunk {
  readonly records: readonly StoredRecord[]
  /** Of the whole chunk. */
  readonly bytes: number
}

export type ChunkReader = (reached: Position) => ReadChunk | undefined

/** A chunk as its row has it. */
export interface ChunkRow {
  readonly last: bigint
  readonly first: bigint
  readonly time: bigint
  readonly checksum: Uint8Array | null
  readonly data: Uint8Array
}

/**
 * Returns the chunk behind a sequence as it was written; undefined where none is there. Throws `log_gap` where it does not go on
 * with the next one, `log_damaged` where it does not have its checksum.
 */
export function createChunkRowReader(
  file: string,
  database: DatabaseSync,
): (reached: Position) => ChunkRow | undefined {
  const statement = database.prepare(
    `SELECT last_sequence AS last, first_sequence AS first, last_time AS time, checksum, data
     FROM chunk WHERE last_sequence > ? ORDER BY last_sequence LIMIT 1`,
  )
  statement.setReadBigInts(true)
  let label: LogLabel | undefined
  const readLabel = createLabelReader(file, database)
  return (reached) =>
    translated(file, 'log_unavailable', () => {
      const row = statement.get(reached) as ChunkRow | undefined
      if (row === undefined) return undefined
      label ??= readLabel()
      assertIntact(file, row, label)
      const first = Number(row.first)
      if (first > reached + 1) throw gap(file, reached + 1, first)
      return row
    })
}

/** Returns the events of the chunk that goes on behind a sequence; undefined where none does. Throws as a reader of its rows. */
export function createChunkReader(file: string, database: DatabaseSync): ChunkReader {
  const readRow = createChunkRowReader(file, database)
  return (reached) => {
    const row = readRow(reached)
    return row && { records: unpacked(file, row, reached), bytes: row.data.byteLength }
  }
}

function assertIntact(file: string, row: ChunkRow, { identity, uncheckedThrough }: LogLabel): void {
  const { checksum, data, time: lastTime } = row
  const [first, last] = [Number(row.first), Number(row.last)]
  if (last <= uncheckedThrough && checksum === null) return
  const is = data instanceof Uint8Array && chunkChecksum(identity, { first, last, lastTime, data })
  if (is && checksum instanceof Uint8Array && is.equals(checksum)) return
  throw logDamaged(file, `events ${first} to ${last} do not have the checksum that they were written with`, {
    first,
    last,
  })
}

/** The checksum proves the rest, except of chunks that were written without. */
function unpacked(file: string, row: ChunkRow, reached: Position): StoredRecord[] {
  const [first, last] = [Number(row.first), Number(row.last)]
  const records: StoredRecord[] = []
  let cause: unknown
  try {
    unpackRecords(row.data, first, reached, records)
    if (records.at(-1)?.sequence === last) return records
  } catch (error) {
    cause = error
  }
  throw logDamaged(file, `events ${first} to ${last} cannot be told apart`, { first, last }, cause)
}

function gap(file: string, expected: number, found: number): LedgerError {
  const reason = `it has no event with sequence ${expected}: the next one is ${found}`
  return new LedgerError(
    'log_gap',
    `The log ${file} has no event with sequence ${expected}: the next one is ${found}; restore the log or import it again`,
    { expected, found, reason },
  )
}
