import type { AccountID, ContractID, Timestamp } from '#schemas/events/types.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { isLongZero } from '#src/domain/evm-address.ts'
import { maxInt64, nanosPerSecond, saturatingLedgerTime } from '#src/domain/ledger-time.ts'

/** Any protobuf id that holds nothing but numbers. */
export type NumberedId =
  | { shardNum: bigint; realmNum: bigint; fileNum: bigint }
  | { shardNum: bigint; realmNum: bigint; tokenNum: bigint }
  | { shardNum: bigint; realmNum: bigint; topicNum: bigint }
  | { shardNum: bigint; realmNum: bigint; scheduleNum: bigint }

/** What an id of a body or receipt says: an encoded entity id, or an address that only the ledger's state resolves. */
export interface Entity {
  readonly id: bigint | null
  readonly address: Buffer | null
}

export const noEntity: Entity = { id: null, address: null }

/** Encoded id of the account's number; 0n when the id is absent, holds an alias or is out of range. */
export function accountNumber(id: AccountID | null): bigint {
  if (id === null || id.accountNum === null) return 0n
  return encode(id.shardNum, id.realmNum, id.accountNum)
}

/** As accountNumber, for a contract. */
export function contractNumber(id: ContractID | null): bigint {
  if (id === null || id.contractNum === null) return 0n
  return encode(id.shardNum, id.realmNum, id.contractNum)
}

export function numberOf(id: NumberedId | null): bigint {
  if (id === null) return 0n
  if ('tokenNum' in id) return encode(id.shardNum, id.realmNum, id.tokenNum)
  if ('topicNum' in id) return encode(id.shardNum, id.realmNum, id.topicNum)
  if ('fileNum' in id) return encode(id.shardNum, id.realmNum, id.fileNum)
  return encode(id.shardNum, id.realmNum, id.scheduleNum)
}

function encode(shard: bigint, realm: bigint, number: bigint): bigint {
  return entityIdOf(shard, realm, number) ?? 0n
}

/** The encoded id, null for "no entity". */
export function orNull(id: bigint): bigint | null {
  return id === 0n ? null : id
}

/** True when the id is there but its number alone does not say it all: an alias, an address, or parts out of range. */
export function losesAccount(id: AccountID | null): boolean {
  if (id === null) return false
  if (id.alias !== null) return true
  return id.accountNum !== null && entityIdOf(id.shardNum, id.realmNum, id.accountNum) === undefined
}

export function resolveAccount(id: AccountID | null): Entity {
  return id?.alias ? resolveAddress(id.alias, id) : { id: orNull(accountNumber(id)), address: null }
}

export function resolveContract(id: ContractID | null): Entity {
  return id?.evmAddress ? resolveAddress(id.evmAddress, id) : { id: orNull(contractNumber(id)), address: null }
}

/** An address of twelve zero bytes and a number stands for the entity of that number; others only state resolves. */
function resolveAddress(address: Buffer, { shardNum, realmNum }: { shardNum: bigint; realmNum: bigint }): Entity {
  if (address.length === 0) return noEntity
  if (!isLongZero(address)) return { id: null, address }
  return { id: orNull(encode(shardNum, realmNum, address.readBigUInt64BE(12))), address: null }
}

/** True when a time does not fit a signed 64-bit number of nanoseconds. */
export function losesTime(timestamp: Timestamp | null): boolean {
  if (timestamp === null) return false
  const { seconds, nanos } = timestamp
  // Far from the limits, as always, without arithmetic on big numbers.
  if (seconds >= 0n && seconds < safeSeconds) return false
  const time = seconds * nanosPerSecond + BigInt(nanos)
  return time !== timeOf(timestamp)
}

const safeSeconds = maxInt64 / nanosPerSecond - 10n

/** Nanoseconds, saturating at the signed 64-bit limits. */
export function timeOf(timestamp: Timestamp): bigint {
  return saturatingLedgerTime(timestamp.seconds, timestamp.nanos)
}
