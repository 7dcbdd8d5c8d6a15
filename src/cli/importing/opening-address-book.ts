import { decodeEvent } from '#src/events/codec.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

/** The opening snapshot is a handful of events. */
const openingEventsMax = 100

/** The address book that a log began with; undefined where it has none. */
export async function openingAddressBook(log: MessageLog): Promise<Uint8Array | undefined> {
  const batches = log.read({ after: 0, countMax: openingEventsMax, bytesMax: 8 << 20, follow: false })
  for await (const { records } of batches) {
    for (const record of records) {
      if (record.type === 'AddressBookSnapshotted') {
        const { contents } = decodeEvent({ ...record, type: record.type })
        if (contents.length > 0) return contents
      }
      if (record.type === 'BlockRecorded') return undefined
    }
  }
  return undefined
}
