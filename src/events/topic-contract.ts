import type { EventType } from '#src/events/event-types.ts'

/** What the messages' time stamps mean to a subscriber. */
export const messageTime =
  'consensus time in milliseconds, rounded down; the nanoseconds are in the headers and in the event'

/** What the message key is, by type of event. */
export const eventKeys: Readonly<Record<EventType, string>> = {
  SnapshotStarted: '`snapshot/started`',
  AddressBookSnapshotted: '`snapshot/address-book/` and the number of the system file',
  SnapshotCompleted: '`snapshot/completed`',
  TransactionRecorded: 'the consensus timestamp, nanoseconds in decimal digits',
  BlockRecorded: 'the hash of the block in lower-case hex',
  BlockNumbersShifted: 'the name of the record file that showed the counting wrong',
  LogSuperseded: '`log/superseded`',
}
