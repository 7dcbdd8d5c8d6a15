import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { ImportState } from '#src/importer/state.ts'
import { importStateSchema } from '#src/importer/state-schema.ts'
import type { MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'
import type { RowReader } from '#src/ports/read-store.ts'

const readCountMax = 5_000
const readBytesMax = 8 << 20

/** What the log holds, counted up to one position. */
export interface ImportFigures extends Pick<ImportState, 'lastBlock' | 'blocks' | 'transactions'> {
  readonly position: Position
  /** Consensus time (ns) of the newest event; undefined in an empty log. */
  readonly time: bigint | undefined
}

/**
 * Counts what the log of a data folder holds, also while an importer works in it or after one was killed: the importer's
 * own state may be older than the log, so the rest of the log is folded over it here. Changes nothing.
 */
export async function readImportFigures(folder: Pick<DataFolder, 'log' | 'store'>): Promise<ImportFigures> {
  const log = openSqliteLog({ folder: folder.log })
  const store = openSqliteReadStore({ folder: folder.store })
  const reader = await store.openReader(importStateSchema)
  try {
    const { state, position } = await readState(reader)
    return await foldRest(log, state, position)
  } finally {
    await reader.close()
    await store.close()
    await log.close()
  }
}

/** The durable state with its position: asked twice, since an importer may commit between the two reads. */
async function readState(reader: RowReader): Promise<{ state: ImportState; position: Position }> {
  for (;;) {
    const state = new ImportState({ shard: 0n, realm: 0n })
    const before = await reader.checkpoint()
    if (before === undefined) return { state, position: 0 }
    const [progress] = await reader.get('progress', [[0]], Object.keys(importStateSchema.collections.progress.fields))
    if ((await reader.checkpoint())?.position !== before.position) continue
    state.restore(progress, [])
    return { state, position: before.position }
  }
}

async function foldRest(log: MessageLog, state: ImportState, after: Position): Promise<ImportFigures> {
  let { sequence: position, time } = await log.head()
  const batches = log.read({ after, countMax: readCountMax, bytesMax: readBytesMax, follow: false })
  for await (const { records } of batches) {
    for (const record of records) fold(state, record)
    const last = records.at(-1)
    if (last !== undefined) ({ sequence: position, time } = last)
  }
  const { lastBlock, blocks, transactions } = state
  return { position, time, lastBlock, blocks, transactions }
}

/** Transactions are only counted: what they change of the address book is the importer's business. */
function fold(state: ImportState, record: StoredRecord): void {
  if (record.type === 'TransactionRecorded') state.countTransactions(1)
  else if (record.type === 'BlockRecorded' || record.type === 'BlockNumbersShifted')
    state.apply(record.type, decodeEvent(record))
}
