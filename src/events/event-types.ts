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
  'TransfersRecorded',
  'TopicMessageRecorded',
] as const

export type EventType = (typeof eventTypes)[number]

/** Topics that read models publish for subscribers of one subject, and the one type of event that is on each. No read model reads them. */
export const outputTypes = { 'contract-logs': 'ContractLogRecorded' } as const satisfies Readonly<
  Record<string, EventType>
>

export type OutputName = keyof typeof outputTypes
/** Types of events that are on a topic that is made, and not on the log. */
export type OutputType = (typeof outputTypes)[OutputName] | 'TransfersRecorded' | 'TopicMessageRecorded'

export const outputNames = Object.keys(outputTypes) as readonly OutputName[]

/** Narrow topics: copies of one subject of the ledger's log, and the types of events on each. No read model reads them. */
const copyTypes = {
  transfers: ['TransfersRecorded'],
  'topic-messages': ['TopicMessageRecorded'],
  blocks: ['BlockRecorded', 'BlockNumbersShifted'],
} as const satisfies Readonly<Record<string, readonly EventType[]>>

export type CopyName = keyof typeof copyTypes

export const copyNames = Object.keys(copyTypes) as readonly CopyName[]

/** What is made of the ledger's log for subscribers, and may be made again. */
export type PublishedName = OutputName | CopyName

export const publishedNames: readonly PublishedName[] = [...outputNames, ...copyNames]

/** `transactions` is the log that read models depend on. */
export type TopicName = 'transactions' | PublishedName

export const topicNames: readonly TopicName[] = ['transactions', ...publishedNames]

/** The types of the events that are on a topic. */
export function typesOn(topic: TopicName): readonly EventType[] {
  if (topic === 'transactions') return ledgerTypes
  return isCopy(topic) ? copyTypes[topic] : [outputTypes[topic]]
}

function isCopy(topic: TopicName): topic is CopyName {
  return topic in copyTypes
}

/** Types that stand on no topic but one that is made. */
const made: ReadonlySet<EventType> = new Set([
  ...Object.values(outputTypes),
  ...copyTypes.transfers,
  ...copyTypes['topic-messages'],
])
const ledgerTypes = eventTypes.filter((type) => !made.has(type))
