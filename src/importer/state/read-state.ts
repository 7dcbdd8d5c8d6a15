import { foldRecord } from '#src/importer/state/fold-record.ts'
import { documentNames, ImportState } from '#src/importer/state/import-state.ts'
import { importStateOf, importStateSchema } from '#src/importer/state/state-schema.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ReadStore, Row, RowReader } from '#src/ports/read-store.ts'

const readCountMax = 5_000
const readBytesMax = 8 << 20

export interface ReadStateOptions {
  readonly log: MessageLog
  readonly store: ReadStore
  /** Of the log. */
  readonly generation: number
}

/**
 * What an importer knows of a log generation, also while one works in it or after one was killed: its own state may be older
 * than the log, so the rest of the log is folded over it here. Contents of uploaded files are left out. Changes nothing.
 */
export async function readImportState({ log, store, generation }: ReadStateOptions): Promise<ImportState> {
  const reader = await store.openReader(importStateOf(generation))
  try {
    const { state, position } = await readRows(reader)
    for await (const { records } of log.read({
      after: position,
      countMax: readCountMax,
      bytesMax: readBytesMax,
      follow: false,
    }))
      for (const record of records) foldRecord(state, record)
    return state
  } finally {
    await reader.close()
  }
}

/** The durable state with its position: asked twice, since an importer may commit between the reads. */
async function readRows(reader: RowReader): Promise<{ state: ImportState; position: Position }> {
  const { progress, documents } = importStateSchema.collections
  for (;;) {
    const state = new ImportState({ shard: 0n, realm: 0n })
    const before = await reader.checkpoint()
    if (before === undefined) return { state, position: 0 }
    const [row] = await reader.get('progress', [[0]], Object.keys(progress.fields))
    const names = documentNames.map((name) => [name])
    const rows = await reader.get('documents', names, Object.keys(documents.fields))
    if ((await reader.checkpoint())?.position !== before.position) continue
    state.restore(row, withoutUploads(rows))
    return { state, position: before.position }
  }
}

/** The list of kept files without the files would say that they are there. */
function withoutUploads(rows: readonly (Row | undefined)[]): (Row | undefined)[] {
  return rows.filter((row) => row?.['name'] !== 'uploads')
}
