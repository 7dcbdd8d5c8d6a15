/** Every kind of event on `ledger.transactions`, the log that read models depend on. */
export const eventTypes = [
  'SnapshotStarted',
  'AddressBookSnapshotted',
  'SnapshotCompleted',
  'TransactionRecorded',
  'BlockRecorded',
  'BlockNumbersShifted',
  'LogSuperseded',
] as const

export type EventType = (typeof eventTypes)[number]
