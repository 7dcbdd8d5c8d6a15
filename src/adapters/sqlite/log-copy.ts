import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type ChunkRow, createChunkRowReader } from '#src/adapters/sqlite/chunk-reader.ts'
import { inTransaction, openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import { createLabelReader, createLabelWriter, insertSameLabel, type LogLabel } from '#src/adapters/sqlite/log-label.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Position } from '#src/ports/message-log.ts'

/** Written to the copy at once. */
const bytesAtOnce = 32 << 20

export interface LogCopy {
  /** Connection to the log that is copied, which sees it as of one moment. */
  readonly database: DatabaseSync
  readonly file: string
  readonly target: string
  /** Last event that is copied; all of the log unless given. */
  readonly through?: Position
  /** Where the copy may go back to, when what it has behind that is not what the log has: it was told of by nobody. */
  readonly keep?: Position
  readonly signal?: AbortSignal
}

export interface CopiedLog {
  readonly identity: string
  readonly last: Position
  /** Of them, those that the copy did not have before. */
  readonly added: number
}

/**
 * Brings a copy of a log up to it: chunks never change, so only those that it lacks are written. Each is held against its checksum when
 * it is read, and again as it lies in the copy. Killed at any instant, the copy is the log as of an earlier event.
 */
export async function copyLog(copy: LogCopy): Promise<CopiedLog> {
  const { database, file, target } = copy
  const label = createLabelReader(file, database)()
  const through = copy.through ?? label.last
  const to = openDatabase({ file: target, synchronous: 'FULL', pageBytes: 16_384, walPages: 4_000 }, 'log_unavailable')
  try {
    return await translatedLater(target, async () => {
      createLike(database, to, label)
      const from = startOf(copy, to)
      await append({ ...copy, through }, to, { label, from })
      createLike(database, to, label, 'rest')
      await readBack({ database: to, file: target, after: from, through, signal: copy.signal })
      return { identity: label.identity, last: through, added: through - from }
    })
  } finally {
    to.close()
  }
}

async function translatedLater<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    return translated(file, 'log_unavailable', () => {
      throw error
    })
  }
}

/** Tables first. What refuses chunks of an older form comes last (`rest`), since the copy may begin with such. */
function createLike(from: DatabaseSync, to: DatabaseSync, label: LogLabel, part: 'tables' | 'rest' = 'tables'): void {
  const known = new Set(names(to))
  const wanted = from.prepare(`SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL`).all()
  inTransaction(to, () => {
    for (const { type, name, sql } of wanted)
      if ((type === 'table') === (part === 'tables') && !known.has(String(name))) to.exec(String(sql))
    if (part === 'rest') return
    to.exec('INSERT OR IGNORE INTO writer VALUES (1, 0)')
    insertSameLabel(to, { ...label, last: 0 })
  })
}

function names(database: DatabaseSync): string[] {
  return database
    .prepare('SELECT name FROM sqlite_master')
    .all()
    .map(({ name }) => String(name))
}

/** The last event that log and copy have in common, which is the copy's last one, or the one that it is to keep. */
function startOf({ database, file, target, keep = 0 }: LogCopy, to: DatabaseSync): Position {
  const { last, ...label } = createLabelReader(target, to)()
  if (agree(database, to, last)) return last
  if (keep >= last || !agree(database, to, keep)) throw differs(file, target)
  inTransaction(to, () => {
    to.prepare('DELETE FROM chunk WHERE last_sequence > ?').run(keep)
    createLabelWriter(to)({ ...label, last: keep })
  })
  return keep
}

function agree(left: DatabaseSync, right: DatabaseSync, last: Position): boolean {
  if (last === 0) return true
  const [a, b] = [left, right].map(
    (each) =>
      each.prepare('SELECT checksum, data FROM chunk WHERE last_sequence = ?').get(last) as
        | Pick<ChunkRow, 'checksum' | 'data'>
        | undefined,
  )
  return a !== undefined && b !== undefined && same(a.checksum, b.checksum) && same(a.data, b.data)
}

function same(left: Uint8Array | null, right: Uint8Array | null): boolean {
  return left === null || right === null ? left === right : Buffer.compare(left, right) === 0
}

function differs(file: string, target: string): LedgerError {
  const message = `The log ${file} does not go on from its copy ${target}: it was cut off or written anew since; keep that backup, and make a new one in another folder`
  return new LedgerError('backup_unusable', message, { file, target })
}

interface Stretch {
  readonly label: LogLabel
  readonly from: Position
}

async function append(
  { database, file, signal, through }: LogCopy & { readonly through: Position },
  to: DatabaseSync,
  { label, from }: Stretch,
): Promise<void> {
  const read = createChunkRowReader(file, database)
  const insert = to.prepare(
    'INSERT INTO chunk (last_sequence, first_sequence, last_time, checksum, data) VALUES (?, ?, ?, ?, ?)',
  )
  const write = createLabelWriter(to)
  let reached = from
  while (reached < through) {
    await breath(signal)
    inTransaction(to, () => {
      for (let bytes = 0; reached < through && bytes < bytesAtOnce; ) {
        const row = read(reached)
        if (row === undefined) throw new Error(`the log ${file} ends with event ${reached}, before ${through}`)
        insert.run(row.last, row.first, row.time, row.checksum, row.data)
        bytes += row.data.byteLength
        reached = Number(row.last)
      }
      write({ ...label, last: reached })
    })
  }
}

export interface LogStretch {
  readonly database: DatabaseSync
  readonly file: string
  readonly after?: Position
  readonly through: Position
  readonly signal?: AbortSignal | undefined
}

/** Holds every chunk of a stretch against its checksum. */
export async function readBack({ database, file, after = 0, through, signal }: LogStretch): Promise<void> {
  const read = createChunkRowReader(file, database)
  let bytes = 0
  for (let reached = after; reached < through; ) {
    const row = read(reached)
    if (row === undefined) {
      const message = `The log ${file} ends with event ${reached}, but it had ${through}; take an older backup`
      throw new LedgerError('backup_unusable', message, { file, reached, through })
    }
    reached = Number(row.last)
    bytes += row.data.byteLength
    if (bytes < bytesAtOnce) continue
    bytes = 0
    await breath(signal)
  }
}

async function breath(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate()
  if (signal?.aborted) throw new LedgerError('interrupted', 'Stopped before its end; run the same command again')
}
