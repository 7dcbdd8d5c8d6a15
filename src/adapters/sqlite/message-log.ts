import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackRecords } from '#src/adapters/sqlite/chunk.ts'
import { translated } from '#src/adapters/sqlite/database.ts'
import { createHeadReader, openLogDatabase, writerBusy } from '#src/adapters/sqlite/log-database.ts'
import { openLogWriter, type SqliteLogWriter } from '#src/adapters/sqlite/log-writer.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogBatch, LogHead, LogWriter, MessageLog, ReadOptions, StoredRecord } from '#src/ports/message-log.ts'

export interface SqliteLogOptions {
  /** Folder that holds `log.sqlite`; ':memory:' keeps the log in this object, for tests. */
  readonly folder: string
  /** How often a waiting reader looks for new events. */
  readonly pollMs?: number
}

/** The embedded log: one SQLite file with chunk rows. See docs/decisions/0001-embedded-log.md. */
export function openSqliteLog(options: SqliteLogOptions): MessageLog {
  return new SqliteMessageLog(options)
}

class SqliteMessageLog implements MessageLog {
  readonly #folder: string
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #pollMs: number
  readonly #readHead: () => LogHead
  #writer: SqliteLogWriter | undefined

  constructor({ folder, pollMs = 10 }: SqliteLogOptions) {
    this.#folder = folder
    this.#file = folder === ':memory:' ? folder : join(folder, 'log.sqlite')
    this.#pollMs = pollMs
    this.#database = translated(this.#file, 'log_unavailable', () => openLogDatabase(this.#file))
    this.#readHead = createHeadReader(this.#database)
  }

  async openWriter(): Promise<LogWriter> {
    if (this.#writer?.open) throw writerBusy(this.#file)
    // Readers of this object and the writer share a connection only in memory, where there is no other way.
    const shared = this.#folder === ':memory:' ? this.#database : undefined
    this.#writer = openLogWriter(this.#file, shared)
    return this.#writer
  }

  async head(): Promise<LogHead> {
    return translated(this.#file, 'log_unavailable', () => this.#readHead())
  }

  async *read(options: ReadOptions): AsyncGenerator<LogBatch, void, undefined> {
    const { countMax, follow, signal } = options
    let { after } = options
    const chunks = this.#database.prepare(
      'SELECT first_sequence AS first, data FROM chunk WHERE last_sequence > ? ORDER BY last_sequence LIMIT 1',
    )
    const backlog: StoredRecord[] = []
    while (!signal?.aborted) {
      let bytes = 0
      let end = false
      while (backlog.length < countMax && bytes < options.bytesMax) {
        const reached = after + backlog.length
        const chunk = translated(this.#file, 'log_unavailable', () => chunks.get(reached)) as ChunkRow | undefined
        if (!chunk) {
          end = true
          break
        }
        if (chunk.first > reached + 1) throw gap(this.#file, reached + 1, chunk.first)
        unpackRecords(chunk.data, chunk.first, reached, backlog)
        bytes += chunk.data.byteLength
      }
      if (backlog.length > 0) {
        const records = backlog.splice(0, countMax)
        after += records.length
        const head = translated(this.#file, 'log_unavailable', () => this.#readHead()).sequence
        yield { records, head }
      } else if (end && !follow) {
        return
      } else if (end) {
        await sleep(this.#pollMs, undefined, signal ? { signal } : {}).catch(() => undefined)
      }
    }
  }

  async close(): Promise<void> {
    await this.#writer?.close()
    if (this.#database.isOpen) this.#database.close()
  }
}

interface ChunkRow {
  readonly first: number
  readonly data: Uint8Array
}

function gap(file: string, expected: number, found: number): LedgerError {
  return new LedgerError(
    'log_gap',
    `The log ${file} has no event with sequence ${expected}: the next one is ${found}; restore the log or import it again`,
    {
      expected,
      found,
    },
  )
}
