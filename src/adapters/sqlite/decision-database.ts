import type { DatabaseSync } from 'node:sqlite'
import { fieldsChecksum } from '#src/adapters/sqlite/checksum.ts'
import { inTransaction, openDatabase, translated } from '#src/adapters/sqlite/database.ts'
import { decisionsDamaged } from '#src/adapters/sqlite/log-damage.ts'
import type { DecisionMetadata, NewDecision, RecordedDecision } from '#src/ports/decision-store.ts'

/** An event as its row has it. */
export interface DecisionRow {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
  readonly checksum: Uint8Array
}

const table = `
  CREATE TABLE IF NOT EXISTS decision (
    position INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL,
    type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, checksum BLOB NOT NULL, UNIQUE (stream, revision)
  );`

export function openDecisionDatabase(file: string): DatabaseSync {
  const database = openDatabase({ file, synchronous: 'FULL', cacheBytes: 4 << 20 }, 'decisions_unavailable')
  try {
    translated(file, 'decisions_unavailable', () => createTable(database))
    assertWhole(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** An entry of its index that is lost would make a stream look shorter than it is. There are few decisions: this takes milliseconds. */
function assertWhole(database: DatabaseSync, file: string): void {
  const [found] = translated(file, 'decisions_unavailable', () => database.prepare('PRAGMA integrity_check(1)').all())
  const problem = String(found?.['integrity_check'])
  if (problem !== 'ok') throw decisionsDamaged(file, problem.replaceAll('\n', ', '))
}

/** Takes no write lock where the table is there, so that opening never waits for a writer. */
function createTable(database: DatabaseSync): void {
  if (database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'decision'`).get()) return
  inTransaction(database, () => database.exec(table))
}

export function rowOf(position: number, stream: string, revision: number, decision: NewDecision): DecisionRow {
  const { id, type } = decision
  const data = JSON.stringify(decision.data)
  const metadata = JSON.stringify(decision.metadata)
  return {
    position,
    stream,
    revision,
    id,
    type,
    data,
    metadata,
    checksum: checksumOf({ position, stream, revision, id, type, data, metadata }),
  }
}

/** Throws `decisions_damaged` where the row is not as it was written. */
export function decisionOf(file: string, row: DecisionRow): RecordedDecision {
  const { position, stream, revision, id, type } = row
  const isWhole = row.checksum instanceof Uint8Array && checksumOf(row).equals(row.checksum)
  if (!isWhole) throw decisionsDamaged(file, `event ${position} does not have its checksum`)
  const data = JSON.parse(row.data) as object
  const metadata = JSON.parse(row.metadata) as DecisionMetadata
  return { id, type, data, metadata, stream, revision, position }
}

function checksumOf(row: Omit<DecisionRow, 'checksum'>): Buffer {
  const { position, stream, revision, id, type, data, metadata } = row
  return fieldsChecksum([position, stream, revision, id, type, data, metadata])
}
