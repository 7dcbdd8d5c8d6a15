import { createEventReader, decodeEvent } from '#src/events/codec.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

const readHeadOf = createEventReader('TransactionRecorded', ['type', 'entityId'])

/** Folds an event of the log into the state, decoding no more of it than the state needs. */
export function foldRecord(state: ImportState, record: LogRecord): void {
  if (record.type === 'TransactionRecorded' && !state.needsBody(readHeadOf(record.value))) {
    state.countTransactions(1)
    return
  }
  state.apply(record.type, decodeEvent(record))
}
