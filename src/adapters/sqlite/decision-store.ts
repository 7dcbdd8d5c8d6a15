import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { inTransaction, translated } from '#src/adapters/sqlite/database.ts'
import { type DecisionRow, decisionOf, openDecisionDatabase, rowOf } from '#src/adapters/sqlite/decision-database.ts'
import { decisionsDamaged } from '#src/adapters/sqlite/log-damage.ts'
import { fileExists, OpenedFile } from '#src/adapters/sqlite/opened-file.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
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

/**
 * The embedded decision store: one SQLite file that all processes on a machine share, made with the first decision. Its
 * positions are dense.
 */
export function openSqliteDecisionStore(options: SqliteDecisionStoreOptions): DecisionStore {
  return new SqliteDecisionStore(options)
}

interface Opened {
  readonly database: DatabaseSync
  readonly file: OpenedFile
  readonly newestRevision: StatementSync
  readonly head: StatementSync
  readonly last: StatementSync
  readonly first: StatementSync
  readonly stream: StatementSync
  readonly all: StatementSync
  readonly insert: StatementSync
}

class SqliteDecisionStore implements DecisionStore {
  readonly #file: string
  readonly #pollMs: number
  #opened: Opened | undefined

  constructor({ folder, pollMs = 10 }: SqliteDecisionStoreOptions) {
    this.#file = folder === ':memory:' ? folder : join(folder, 'decisions.sqlite')
    this.#pollMs = pollMs
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewDecision[]): Promise<StreamRevision> {
    return this.#translated(() => {
      const opened = this.#open()
      return inTransaction(opened.database, () => append(opened, stream, expected, events))
    })
  }

  async readStream(stream: string, from: StreamRevision = 0): Promise<readonly RecordedDecision[]> {
    return this.#decisions(({ stream: statement }) => statement.all(stream, from))
  }

  async *readAll({ countMax, follow, signal, ...options }: SubscribeOptions): AsyncGenerator<DecisionBatch> {
    let { after } = options
    while (!signal?.aborted) {
      const events = this.#decisions(({ all }) => all.all(after, countMax))
      this.#assertDense(after, events)
      if (events.length > 0) {
        after = events.at(-1)!.position
        yield { events, head: this.#translated(() => headOf(this.#open())) }
      } else if (!follow) return
      else await rest(this.#pollMs, signal)
    }
  }

  async newest(): Promise<RecordedDecision | undefined> {
    return this.#decisions(({ last }) => last.all())[0]
  }

  async identity(): Promise<string | undefined> {
    return this.#decisions(({ first }) => first.all())[0]?.id
  }

  async close(): Promise<void> {
    if (this.#opened?.database.isOpen) this.#opened.database.close()
  }

  /** Of a file that is not the one that was opened any more, the next call opens what is there. */
  #open(): Opened {
    try {
      this.#opened?.file.assertThere()
    } catch (error) {
      const opened = this.#opened
      this.#opened = undefined
      opened?.database.close()
      throw error
    }
    this.#opened ??= prepared(openDecisionDatabase(this.#file), this.#file)
    return this.#opened
  }

  /** Positions have no gaps, so an event that is missing is missed. */
  #assertDense(after: DecisionPosition, events: readonly RecordedDecision[]): void {
    const index = events.findIndex(({ position }, place) => position !== after + place + 1)
    if (index === -1) return
    throw decisionsDamaged(this.#file, `event ${after + index + 1} is missing`)
  }

  /** A file that is not there yet has no rows, and is not made by looking. */
  #decisions(query: (opened: Opened) => unknown): RecordedDecision[] {
    if (this.#opened === undefined && this.#file !== ':memory:' && !fileExists(this.#file, 'decisions_unavailable'))
      return []
    return this.#translated(() => (query(this.#open()) as DecisionRow[]).map((row) => decisionOf(this.#file, row)))
  }

  #translated<T>(call: () => T): T {
    return translated(this.#file, 'decisions_unavailable', call)
  }
}

function prepared(database: DatabaseSync, file: string): Opened {
  return {
    database,
    file: new OpenedFile(file, 'decisions_unavailable'),
    newestRevision: database.prepare('SELECT max(revision) AS revision FROM decision WHERE stream = ?'),
    head: database.prepare('SELECT max(position) AS position FROM decision'),
    last: database.prepare('SELECT * FROM decision ORDER BY position DESC LIMIT 1'),
    first: database.prepare('SELECT * FROM decision ORDER BY position LIMIT 1'),
    stream: database.prepare('SELECT * FROM decision WHERE stream = ? AND revision >= ? ORDER BY revision'),
    all: database.prepare('SELECT * FROM decision WHERE position > ? ORDER BY position LIMIT ?'),
    insert: database.prepare('INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
  }
}

function append(
  opened: Opened,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewDecision[],
): StreamRevision {
  const before = expected === 'none' ? -1 : expected
  const { revision } = opened.newestRevision.get(stream) as { revision: number | null }
  if ((revision ?? -1) !== before) {
    if (isThere(opened, stream, before, events)) return before + events.length
    throw revisionConflict(stream, expected, revision)
  }
  let position = headOf(opened)
  let next = before
  for (const event of events) {
    const { id, type, data, metadata, checksum } = rowOf(++position, stream, ++next, event)
    opened.insert.run(position, stream, next, id, type, data, metadata, checksum)
  }
  return next
}

/** Whether exactly these events were appended there before. */
function isThere(opened: Opened, stream: string, before: StreamRevision, events: readonly NewDecision[]): boolean {
  // The statement selects the columns of DecisionRow.
  const rows = opened.stream.all(stream, before + 1) as unknown as DecisionRow[]
  return rows.length >= events.length && events.every(({ id }, index) => rows[index]?.id === id)
}

function headOf({ head }: Opened): DecisionPosition {
  return (head.get() as { position: number | null }).position ?? 0
}

function revisionConflict(stream: string, expected: ExpectedRevision, found: number | null): LedgerError {
  const there = found === null ? 'is not there' : `is at revision ${found}`
  return new LedgerError('revision_conflict', `The stream ${stream} ${there}, not at ${expected}`, {
    stream,
    expected,
    found: found ?? 'none',
  })
}
