import { decodeEvent } from '#src/events/codec.ts'
import { ImportState } from '#src/importer/state/import-state.ts'
import { importStateOf, importStateSchema } from '#src/importer/state/state-schema.ts'
import type { MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'
import type { ReadStore, RowReader } from '#src/ports/read-store.ts'

const readCountMax = 5_000
const readBytesMax = 8 << 20

/** What a log holds, counted up to one position. */
export interface ImportFigures
  extends Pick<ImportState, 'network' | 'lastBlock' | 'blocks' | 'transactions' | 'breaks' | 'gapBlocks'> {
  readonly position: Position
  /** Consensus time (ns) of the newest event; undefined in an empty log. */
  readonly time: bigint | undefined
}

export interface FiguresSource {
  readonly log: MessageLog
  readonly store: ReadStore
  /** Of the log. */
  readonly generation: number
}

/**
 * Counts what a log generation holds, also while an importer works in it or after one was killed: the importer's own
 * state may be older than the log, so the rest of the log is folded over it here. Changes nothing.
 */
export async function readImportFigures({ log, store, generation }: FiguresSource): Promise<ImportFigures> {
  const reader = await store.openReader(importStateOf(generation))
  try {
    const { state, position } = await readState(reader)
    return await foldRest(log, state, position)
  } finally {
    await reader.close()
  }
}

/** The same where the log cannot be read any more: as of the importer's own state. */
export async function readStateFigures({ store, generation }: Omit<FiguresSource, 'log'>): Promise<ImportFigures> {
  const reader = await store.openReader(importStateOf(generation))
  try {
    const { state, position } = await readState(reader)
    const { network, lastBlock, blocks, transactions, breaks, gapBlocks } = state
    return { position, time: lastBlock?.time, network, lastBlock, blocks, transactions, breaks, gapBlocks }
  } finally {
    await reader.close()
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
  const { network, lastBlock, blocks, transactions, breaks, gapBlocks } = state
  return { position, time, network, lastBlock, blocks, transactions, breaks, gapBlocks }
}

const foldedTypes: ReadonlySet<string> = new Set(['SnapshotStarted', 'BlockRecorded', 'BlockNumbersShifted'])

/** Transactions are only counted: what they change of the address book is the importer's business. */
function fold(state: ImportState, record: StoredRecord): void {
  if (record.type === 'TransactionRecorded') state.countTransactions(1)
  else if (foldedTypes.has(record.type)) state.apply(record.type, decodeEvent(record))
}
