import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, translated } from '#src/adapters/sqlite/database.ts'
import { type DecisionRow, decisionOf, openDecisionDatabase, rowOf } from '#src/adapters/sqlite/decision-database.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type {
  DecisionBatch,
  DecisionPosition,
  DecisionStore,
  ExpectedRevision,
  NewDecision,
  RecordedDecision,
  StreamRevision,
  SubscribeOptions,
} from '#src/ports/decision-store.ts'

export interface SqliteDecisionStoreOptions {
  /** Folder that holds `decisions.sqlite`; ':memory:' keeps the decisions in this object, for tests. */
  readonly folder: string
  /** How often a waiting reader looks for new events. */
  readonly pollMs?: number
}

/** The embedded decision store: one SQLite file that all processes on a machine share. Its positions are dense. */
export function openSqliteDecisionStore(options: SqliteDecisionStoreOptions): DecisionStore {
  return new SqliteDecisionStore(options)
}

class SqliteDecisionStore implements DecisionStore {
  readonly #file: string
  readonly #pollMs: number
  readonly #database: DatabaseSync
  readonly #newest: StatementSync
  readonly #head: StatementSync
  readonly #last: StatementSync
  readonly #first: StatementSync
  readonly #stream: StatementSync
  readonly #all: StatementSync
  readonly #insert: StatementSync

  constructor({ folder, pollMs = 10 }: SqliteDecisionStoreOptions) {
    this.#file = folder === ':memory:' ? folder : join(folder, 'decisions.sqlite')
    this.#pollMs = pollMs
    const database = openDecisionDatabase(this.#file)
    this.#database = database
    this.#newest = database.prepare('SELECT max(revision) AS revision FROM decision WHERE stream = ?')
    this.#head = database.prepare('SELECT max(position) AS position FROM decision')
    this.#last = database.prepare('SELECT * FROM decision ORDER BY position DESC LIMIT 1')
    this.#first = database.prepare('SELECT id FROM decision ORDER BY position LIMIT 1')
    this.#stream = database.prepare('SELECT * FROM decision WHERE stream = ? AND revision >= ? ORDER BY revision')
    this.#all = database.prepare('SELECT * FROM decision WHERE position > ? ORDER BY position LIMIT ?')
    this.#insert = database.prepare('INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewDecision[]): Promise<StreamRevision> {
    return this.#translated(() => inTransaction(this.#database, () => this.#append(stream, expected, events)))
  }

  #append(stream: string, expected: ExpectedRevision, events: readonly NewDecision[]): StreamRevision {
    const before = expected === 'none' ? -1 : expected
    const { revision } = this.#newest.get(stream) as { revision: number | null }
    if ((revision ?? -1) !== before) {
      if (this.#isThere(stream, before, events)) return before + events.length
      throw revisionConflict(stream, expected, revision)
    }
    let position = this.#position()
    let next = before
    for (const event of events) {
      const row = rowOf(++position, stream, ++next, event)
      const { id, type, data, metadata, checksum } = row
      this.#insert.run(position, stream, next, id, type, data, metadata, checksum)
    }
    return next
  }

  /** Whether exactly these events were appended there before. */
  #isThere(stream: string, before: StreamRevision, events: readonly NewDecision[]): boolean {
    const rows = this.#stream.all(stream, before + 1) as unknown as DecisionRow[]
    return rows.length >= events.length && events.every(({ id }, index) => rows[index]?.id === id)
  }

  async readStream(stream: string, from: StreamRevision = 0): Promise<readonly RecordedDecision[]> {
    return this.#translated(() => this.#decisions(this.#stream.all(stream, from)))
  }

  async *readAll({ countMax, follow, signal, ...options }: SubscribeOptions): AsyncGenerator<DecisionBatch> {
    let { after } = options
    while (!signal?.aborted) {
      const events = this.#translated(() => this.#decisions(this.#all.all(after, countMax)))
      if (events.length > 0) {
        after = events.at(-1)!.position
        yield { events, head: this.#translated(() => this.#position()) }
      } else if (!follow) return
      else await sleep(this.#pollMs, undefined, signal ? { signal } : {}).catch(() => undefined)
    }
  }

  async newest(): Promise<RecordedDecision | undefined> {
    return this.#translated(() => this.#decisions(this.#last.all())[0])
  }

  async identity(): Promise<string | undefined> {
    return this.#translated(() => (this.#first.get() as { id: string } | undefined)?.id)
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  #position(): DecisionPosition {
    return (this.#head.get() as { position: number | null }).position ?? 0
  }

  #decisions(rows: unknown): RecordedDecision[] {
    return (rows as DecisionRow[]).map((row) => decisionOf(this.#file, row))
  }

  #translated<T>(call: () => T): T {
    return translated(this.#file, 'decisions_unavailable', call)
  }
}

function revisionConflict(stream: string, expected: ExpectedRevision, found: number | null): LedgerError {
  const there = found === null ? 'is not there' : `is at revision ${found}`
  return new LedgerError('revision_conflict', `The stream ${stream} ${there}, not at ${expected}`, {
    stream,
    expected,
    found: found ?? 'none',
  })
}
