/** Every kind of event. It only grows at the end: logs keep places in it. */
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
  'CustomFeesSnapshotted',
  'TopicSnapshotted',
  'TopicMessageSnapshotted',
  'ScheduleSnapshotted',
  'FileSnapshotted',
  'ContractLogsSnapshotted',
  'AllowanceSnapshotted',
  'AirdropSnapshotted',
  'NftSnapshotted',
  'NftAllowanceSnapshotted',
  'ContractSnapshotted',
  'ContractStateSnapshotted',
  'ContractExecutionSnapshotted',
  'ContractLogRecorded',
] as const

export type EventType = (typeof eventTypes)[number]

/** Topics that read models publish for subscribers of one subject, and the one type of event that is on each. No read model reads them. */
export const outputTypes = { 'contract-logs': 'ContractLogRecorded' } as const satisfies Readonly<
  Record<string, EventType>
>

export type OutputName = keyof typeof outputTypes
export type OutputType = (typeof outputTypes)[OutputName]

export const outputNames = Object.keys(outputTypes) as readonly OutputName[]

/** `transactions` is the log that read models depend on. */
export type TopicName = 'transactions' | OutputName

export const topicNames: readonly TopicName[] = ['transactions', ...outputNames]

/** The types of the events that are on a topic. */
export function typesOn(topic: TopicName): readonly EventType[] {
  return topic === 'transactions' ? ledgerTypes : [outputTypes[topic]]
}

const ofOutputs: ReadonlySet<EventType> = new Set(Object.values(outputTypes))
const ledgerTypes = eventTypes.filter((type) => !ofOutputs.has(type))
