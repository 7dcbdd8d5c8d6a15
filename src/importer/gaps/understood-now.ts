import { isLedgerError } from '#src/domain/errors.ts'
import { createEventReader } from '#src/events/codec.ts'
import { transactionEvents } from '#src/importer/decode/transaction-event.ts'

const readUnparsed = createEventReader('TransactionRecorded', ['unparsed'])

/** Whether a TransactionRecorded carries bytes that were not understood when it was written, and now all of them are. */
export function isUnderstoodNow(value: Uint8Array): boolean {
  const { unparsed } = readUnparsed(value)
  if (!unparsed?.transaction || !unparsed.record) return false
  const { transaction, record, sidecars } = unparsed
  const items = [{ transaction, record }]
  try {
    const [event] = transactionEvents({
      items,
      sidecarRecords: sidecars,
      blockNumber: undefined,
      keepRawBytes: false,
    })
    return event?.unparsed === null
  } catch (error) {
    // A record that another release could read, and this one cannot.
    if (isLedgerError(error, 'file_malformed')) return false
    throw error
  }
}
