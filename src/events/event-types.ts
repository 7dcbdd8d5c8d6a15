/** Every kind of event on `ledger.transactions`, the log that read models depend on. It only grows at the end: stores keep places in it. */
export const eventTypes = [
  'SnapshotStarted',
  'AddressBookSnapshotted',
  'SnapshotCompleted',
  'TransactionRecorded',
  'BlockRecorded',
  'BlockNumbersShifted',
  'LogSuperseded',
  'EntitySnapshotted',
  'AccountBalanceSnapshotted',
  'TokenAccountSnapshotted',
  'TokenBalanceSnapshotted',
  'TokenSnapshotted',
  'AccountStakeSnapshotted',
  'NodeStakesSnapshotted',
  'NetworkStakeSnapshotted',
  'HookSnapshotted',
  'HookStorageSnapshotted',
  'HookStorageChangeSnapshotted',
  'NodeSnapshotted',
  'RegisteredNodeSnapshotted',
  'ContractLogsSnapshotted',
] as const

export type EventType = (typeof eventTypes)[number]
