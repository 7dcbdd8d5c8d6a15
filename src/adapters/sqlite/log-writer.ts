import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { chunkChecksum } from '#src/adapters/sqlite/checksum.ts'
import { chunksOf } from '#src/adapters/sqlite/chunk.ts'
import { createChunkReader } from '#src/adapters/sqlite/chunk-reader.ts'
import { inTransaction, translated } from '#src/adapters/sqlite/database.ts'
import { type FileLock, takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { createHeadReader, openLogDatabase, writerBusy } from '#src/adapters/sqlite/log-database.ts'
import { createLabelReader, createLabelWriter, type LogLabel } from '#src/adapters/sqlite/log-label.ts'
import { OpenedFile } from '#src/adapters/sqlite/opened-file.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead, LogRecord, LogWriter } from '#src/ports/message-log.ts'

/**
 * Exclusive twice over: the operating system's lock on a file beside the log keeps a second living writer out and
 * disappears with its process; the epoch in the log makes every append of a replaced writer fail, should a file system
 * not honour locks. `shared` is the connection of a log in memory, which has neither file nor lock.
 */
export function openLogWriter(file: string, shared: DatabaseSync | undefined): SqliteLogWriter {
  if (shared) return new SqliteLogWriter({ file, database: shared, release: () => {} })
  const lock = takeFileLock(`${file}.writer`, (cause) => writerBusy(file, cause))
  return translated(file, 'log_unavailable', () => openLocked(file, lock))
}

function openLocked(file: string, lock: FileLock): SqliteLogWriter {
  let database: DatabaseSync | undefined
  const release = (): void => {
    database?.close()
    lock.release()
  }
  try {
    database = openLogDatabase(file)
    return new SqliteLogWriter({ file, database, release })
  } catch (error) {
    release()
    throw error
  }
}

export interface SqliteLogWriterOptions {
  readonly file: string
  readonly database: DatabaseSync
  /** Frees what the writer holds. */
  readonly release: () => void
}

export class SqliteLogWriter implements LogWriter {
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #opened: OpenedFile
  readonly #release: () => void
  readonly #epoch: number
  readonly #insert: StatementSync
  readonly #readEpoch: StatementSync
  readonly #readHead: () => LogHead
  readonly #writeLabel: (label: LogLabel) => void
  readonly #label: LogLabel
  #head: LogHead
  open = true

  constructor({ file, database, release }: SqliteLogWriterOptions) {
    this.#file = file
    this.#database = database
    this.#release = release
    this.#opened = new OpenedFile(file)
    this.#readEpoch = database.prepare('SELECT epoch FROM writer')
    this.#readHead = createHeadReader(file, database)
    this.#insert = database.prepare(
      'INSERT INTO chunk (last_sequence, first_sequence, last_time, checksum, data) VALUES (?, ?, ?, ?, ?)',
    )
    this.#epoch = inTransaction(database, () => {
      database.exec('UPDATE writer SET epoch = epoch + 1')
      return this.#storedEpoch()
    })
    this.#writeLabel = createLabelWriter(database)
    this.#label = createLabelReader(file, database)()
    this.#head = this.#readHead()
    // What comes next is numbered by it, so it has to be right.
    if (this.#head.sequence > 0) createChunkReader(file, database)(this.#head.sequence - 1)
  }

  get head(): LogHead {
    return this.#head
  }

  async append(blocks: readonly (readonly LogRecord[])[]): Promise<LogHead> {
    const records = blocks.length === 1 ? blocks[0]! : blocks.flat()
    if (records.length === 0) return this.#head
    if (!this.open) throw this.#fenced()
    this.#opened.assertThere()
    translated(this.#file, 'log_unavailable', () => inTransaction(this.#database, () => this.#write(records)))
    this.#head = { sequence: this.#head.sequence + records.length, time: records[records.length - 1]!.time }
    return this.#head
  }

  async close(): Promise<void> {
    if (!this.open) return
    this.open = false
    this.#release()
  }

  #write(records: readonly LogRecord[]): void {
    if (this.#storedEpoch() !== this.#epoch || this.#readHead().sequence !== this.#head.sequence) throw this.#fenced()
    let sequence = this.#head.sequence
    for (const { count, lastTime, data } of chunksOf(records)) {
      const [first, last] = [sequence + 1, sequence + count]
      const checksum = chunkChecksum(this.#label.identity, { first, last, lastTime, data })
      this.#insert.run(last, first, lastTime, checksum, data)
      sequence = last
    }
    this.#writeLabel({ ...this.#label, last: sequence })
  }

  #storedEpoch(): number {
    return (this.#readEpoch.get() as { epoch: number }).epoch
  }

  #fenced(): LedgerError {
    const message = `This importer lost the right to write to the log ${this.#file}: it was closed, or a newer one took over`
    return new LedgerError('log_writer_fenced', message, { file: this.#file })
  }
}
