import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type ChunkReader, createChunkReader, type ReadChunk } from '#src/adapters/sqlite/chunk-reader.ts'
import { translated } from '#src/adapters/sqlite/database.ts'
import { logDamaged } from '#src/adapters/sqlite/log-damage.ts'
import { createHeadReader, openLogDatabase, writerBusy } from '#src/adapters/sqlite/log-database.ts'
import { createLabelReader, type LogLabel } from '#src/adapters/sqlite/log-label.ts'
import { openLogWriter, type SqliteLogWriter } from '#src/adapters/sqlite/log-writer.ts'
import { OpenedFile } from '#src/adapters/sqlite/opened-file.ts'
import { rest } from '#src/ports/clock.ts'
import type {
  LogBatch,
  LogHead,
  LogWriter,
  MessageLog,
  Position,
  ReadOptions,
  StoredRecord,
} from '#src/ports/message-log.ts'

export interface SqliteLogOptions {
  /** Folder that holds `log.sqlite`; ':memory:' keeps the log in this object, for tests. */
  readonly folder: string
  /** How often a waiting reader looks for new events. */
  readonly pollMs?: number
}

export type SqliteLog = MessageLog & Required<Pick<MessageLog, 'uncheckedThrough'>>

/** The embedded log: one SQLite file with chunk rows. See docs/decisions/0001-embedded-log.md. */
export function openSqliteLog(options: SqliteLogOptions): SqliteLog {
  return new SqliteMessageLog(options)
}

class SqliteMessageLog implements SqliteLog {
  readonly #folder: string
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #pollMs: number
  readonly #readHead: () => LogHead
  readonly #opened: OpenedFile
  #writer: SqliteLogWriter | undefined

  constructor({ folder, pollMs = 5 }: SqliteLogOptions) {
    this.#folder = folder
    this.#file = folder === ':memory:' ? folder : join(folder, 'log.sqlite')
    this.#pollMs = pollMs
    this.#database = translated(this.#file, 'log_unavailable', () => openLogDatabase(this.#file))
    this.#opened = new OpenedFile(this.#file)
    this.#readHead = createHeadReader(this.#file, this.#database)
  }

  async openWriter(): Promise<LogWriter> {
    if (this.#writer?.open) throw writerBusy(this.#file)
    // Readers of this object and the writer share a connection only in memory, where there is no other way.
    const shared = this.#folder === ':memory:' ? this.#database : undefined
    this.#writer = openLogWriter(this.#file, shared)
    return this.#writer
  }

  async head(): Promise<LogHead> {
    this.#opened.assertThere()
    return translated(this.#file, 'log_unavailable', () => this.#readHead())
  }

  async identity(): Promise<string> {
    return this.#label().identity
  }

  async uncheckedThrough(): Promise<Position> {
    return this.#label().uncheckedThrough
  }

  async *read(options: ReadOptions): AsyncGenerator<LogBatch, void, undefined> {
    const { countMax, follow, signal } = options
    let { after } = options
    const readChunk = createChunkReader(this.#file, this.#database)
    const backlog: StoredRecord[] = []
    while (!signal?.aborted) {
      let bytes = 0
      let end = false
      while (backlog.length < countMax && bytes < options.bytesMax) {
        const chunk = this.#readNext(readChunk, after + backlog.length, backlog.length > 0)
        if (chunk === 'not readable') break
        if (!chunk) {
          end = true
          break
        }
        backlog.push(...chunk.records)
        bytes += chunk.bytes
      }
      if (backlog.length > 0) {
        const records = backlog.splice(0, countMax)
        after += records.length
        const head = translated(this.#file, 'log_unavailable', () => this.#readHead()).sequence
        yield { records, head }
      } else if (end && this.#goesOn(after)) {
        // Appended just now, or not to be found.
        if (readChunk(after) === undefined) throw logDamaged(this.#file, `events behind ${after} are not to be found`)
      } else if (end && !follow) {
        return
      } else if (end) {
        this.#opened.assertThere()
        await rest(this.#pollMs, signal)
      }
    }
  }

  /** What stands before a chunk that cannot be read is given out first; then it is met again. */
  #readNext(readChunk: ChunkReader, reached: Position, hasBacklog: boolean): ReadChunk | undefined | 'not readable' {
    try {
      return readChunk(reached)
    } catch (error) {
      if (hasBacklog) return 'not readable'
      throw error
    }
  }

  #label(): LogLabel {
    return translated(this.#file, 'log_unavailable', () => createLabelReader(this.#file, this.#database)())
  }

  #goesOn(after: Position): boolean {
    return translated(this.#file, 'log_unavailable', () => this.#readHead()).sequence > after
  }

  async close(): Promise<void> {
    await this.#writer?.close()
    if (this.#database.isOpen) this.#database.close()
  }
}
