import type { EventType } from '#src/events/event-types.ts'

/** What the messages' time stamps mean to a subscriber. */
export const messageTime =
  'consensus time in milliseconds, rounded down, of a statement not before the event that it follows; the nanoseconds are in the headers and in the event'

/** What the message key is, by type of event. */
export const eventKeys: Readonly<Record<EventType, string>> = {
  SnapshotStarted: '`snapshot/started`; of a later snapshot `/` and asOf',
  AddressBookSnapshotted: '`snapshot/address-book/` and the number of the system file; of a later book `/` and asOf',
  SnapshotCompleted: '`snapshot/completed`; of a later snapshot `/` and asOf',
  TransactionRecorded: 'the consensus timestamp, nanoseconds in decimal digits',
  BlockRecorded: 'the hash of the block in lower-case hex',
  BlockNumbersShifted: 'the name of the record file that showed the counting wrong',
  LogSuperseded: '`log/superseded`',
  EntitySnapshotted: '`snapshot/entity/`, the entity id as a number, `/` and asOf',
  AccountBalanceSnapshotted: '`snapshot/balance/`, the account id as a number, `/` and asOf',
  TokenAccountSnapshotted:
    '`snapshot/token-account/`, the ids of account and token as numbers and asOf, with `/` between',
  TokenBalanceSnapshotted:
    '`snapshot/token-balance/`, the ids of account and token as numbers and asOf, with `/` between',
  TokenSnapshotted: '`snapshot/token/`, the token id as a number, `/` and asOf',
  AccountStakeSnapshotted: '`snapshot/account-stake/`, the account id as a number, `/` and asOf',
  NodeStakesSnapshotted: '`snapshot/node-stakes/` and asOf',
  NetworkStakeSnapshotted: '`snapshot/network-stake/` and asOf',
  HookSnapshotted: '`snapshot/hook/`, the owner id as a number, the number of the hook and asOf, with `/` between',
  HookStorageSnapshotted:
    '`snapshot/hook-storage/`, the owner id as a number, the number of the hook, the key in hex and asOf, with `/` between',
  HookStorageChangeSnapshotted:
    '`snapshot/hook-storage-change/`, the owner id as a number, the number of the hook, the key in hex and asOf, with `/` between',
  NodeSnapshotted: '`snapshot/node/`, the number of the node, `/` and asOf',
  RegisteredNodeSnapshotted: '`snapshot/registered-node/`, the number of the registered node, `/` and asOf',
  CustomFeesSnapshotted: '`snapshot/custom-fees/`, the id of the token or topic as a number, `/` and asOf',
  TopicSnapshotted: '`snapshot/topic/`, the topic id as a number, `/` and asOf',
  TopicMessageSnapshotted:
    '`snapshot/topic-message/`, the topic id as a number, the number of the message and asOf, with `/` between',
  ScheduleSnapshotted: '`snapshot/schedule/`, the schedule id as a number, `/` and asOf',
  FileSnapshotted: '`snapshot/file/`, the entity id as a number, `/` and asOf',
  ContractLogsSnapshotted: '`snapshot/contract-logs/` and asOf',
  AllowanceSnapshotted:
    '`snapshot/allowance/`, the ids of owner, spender and token (0: hbar) as numbers and asOf, with `/` between',
  AirdropSnapshotted:
    '`snapshot/airdrop/`, the ids of sender, receiver and token as numbers, the serial number and asOf, with `/` between',
  NftSnapshotted: '`snapshot/nft/`, the token id as a number, the serial number and asOf, with `/` between',
  NftAllowanceSnapshotted:
    '`snapshot/nft-allowance/`, the ids of owner, spender and token as numbers and asOf, with `/` between',
  ContractSnapshotted: '`snapshot/contract/`, the contract id as a number, `/` and asOf',
  ContractStateSnapshotted:
    '`snapshot/contract-state/`, the contract id as a number, the slot in hex and asOf, with `/` between',
  ContractExecutionSnapshotted: '`snapshot/contract-execution/` and asOf',
  ContractLogRecorded:
    'originTimestamp in decimal digits, `/` and the number of the log among those of that transaction, from 0',
  TransfersRecorded: 'the consensus timestamp, nanoseconds in decimal digits: that of its TransactionRecorded',
  TopicMessageRecorded: 'the consensus timestamp, nanoseconds in decimal digits: that of its TransactionRecorded',
}
