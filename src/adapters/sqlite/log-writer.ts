import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { chunksOf } from '#src/adapters/sqlite/chunk.ts'
import { inTransaction, translated } from '#src/adapters/sqlite/database.ts'
import { readHead, writerBusy } from '#src/adapters/sqlite/log-database.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead, LogRecord, LogWriter } from '#src/ports/message-log.ts'

export interface SqliteLogWriterOptions {
  readonly database: DatabaseSync
  readonly file: string
  /** Whether closing the writer closes the database. */
  readonly owned: boolean
}

/**
 * Exclusive twice over: the operating system's lock on a file beside the log keeps a second living writer out and
 * disappears with its process; the epoch in the log makes every append of a replaced writer fail, should a file system
 * not honour locks.
 */
export class SqliteLogWriter implements LogWriter {
  readonly #database: DatabaseSync
  readonly #file: string
  readonly #owned: boolean
  readonly #lock: DatabaseSync | undefined
  readonly #epoch: number
  readonly #insert: StatementSync
  readonly #readEpoch: StatementSync
  #head: LogHead
  open = true

  constructor({ database, file, owned }: SqliteLogWriterOptions) {
    this.#database = database
    this.#file = file
    this.#owned = owned
    this.#lock = file === ':memory:' ? undefined : takeLock(`${file}.writer`, file)
    this.#readEpoch = database.prepare('SELECT epoch FROM writer')
    this.#insert = database.prepare(
      'INSERT INTO chunk (last_sequence, first_sequence, last_time, data) VALUES (?, ?, ?, ?)',
    )
    this.#epoch = translated(file, 'log_unavailable', () =>
      inTransaction(database, () => {
        database.exec('UPDATE writer SET epoch = epoch + 1')
        return this.#storedEpoch()
      }),
    )
    this.#head = readHead(database)
  }

  get head(): LogHead {
    return this.#head
  }

  async append(blocks: readonly (readonly LogRecord[])[]): Promise<LogHead> {
    const records = blocks.length === 1 ? blocks[0]! : blocks.flat()
    if (records.length === 0) return this.#head
    translated(this.#file, 'log_unavailable', () => inTransaction(this.#database, () => this.#write(records)))
    this.#head = { sequence: this.#head.sequence + records.length, time: records[records.length - 1]!.time }
    return this.#head
  }

  async close(): Promise<void> {
    if (!this.open) return
    this.open = false
    this.#lock?.close()
    if (this.#owned) this.#database.close()
  }

  #write(records: readonly LogRecord[]): void {
    if (
      !this.open ||
      this.#storedEpoch() !== this.#epoch ||
      readHead(this.#database).sequence !== this.#head.sequence
    ) {
      throw new LedgerError(
        'log_writer_fenced',
        `This importer lost the right to write to the log ${this.#file}: a newer one took over`,
        {
          file: this.#file,
        },
      )
    }
    let sequence = this.#head.sequence
    for (const { count, lastTime, data } of chunksOf(records)) {
      this.#insert.run(sequence + count, sequence + 1, lastTime, data)
      sequence += count
    }
  }

  #storedEpoch(): number {
    return (this.#readEpoch.get() as { epoch: number }).epoch
  }
}

/** An open exclusive transaction on a file of its own; the system frees it when the process ends, however it ends. */
function takeLock(lockFile: string, logFile: string): DatabaseSync {
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw writerBusy(logFile, error)
  }
}
