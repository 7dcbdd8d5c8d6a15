import { type DraftKind, type DraftLog, draftKind } from '#projections/contract-logs/draft-log.ts'
import type { Topics } from '#projections/contract-logs/packing/digits.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { entityIdParts, maxNumber } from '#src/domain/entity-id.ts'
import { numberDigits, trimmedDigits } from '#src/domain/evm-words.ts'
import type { TokenPayment } from '#src/domain/fungible-pairs.ts'

/** Keccak-256 of the events' signatures, as ERC-20 and ERC-721 define them. */
const eventTopic = {
  /** Transfer(address,address,uint256) */
  transfer: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** Approval(address,address,uint256) */
  approval: '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** ApprovalForAll(address,address,bool) */
  approvalForAll: '17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
} as const

const nobody = ''
const nothing = ''
const zeroByte = '00'

/** The EVM address of an account that has one of its own; undefined where its number stands for it. */
export type FindAddress = (id: bigint) => Uint8Array | null | undefined

/** A made log's account: an address of 20 bytes, or a number. null and 0 stand for nobody. */
function numberTopic(id: bigint | null): string {
  if (id === null || id === 0n) return nobody
  return numberDigits(id > 0n && id <= maxNumber ? id : entityIdParts(id).number)
}

function addressTopic(id: bigint, find: FindAddress): string {
  const address = id === 0n ? undefined : find(id)
  return address ? trimmedDigits(hexOf(address)) : numberTopic(id)
}

function serialTopic(serial: bigint): string {
  return trimmedDigits(numberDigits(serial))
}

function made(contractId: bigint, topics: Topics, data: string, kind: DraftKind = draftKind.synthetic): DraftLog {
  return { kind, contractId, topics, data, bloom: null }
}

/** An amount as data; none at all for 0. */
function amountData(amount: bigint): string {
  return amount === 0n ? nothing : numberDigits(amount)
}

/** What an account paid another one; 0 for nobody. `ofCall`: as part of a contract's call, or by one. */
export function fungibleTransferLog(
  tokenId: bigint,
  { sender, receiver, amount }: TokenPayment,
  ofCall: boolean,
  find: FindAddress,
): DraftLog {
  const topics = [eventTopic.transfer, addressTopic(sender, find), addressTopic(receiver, find), null] as const
  return made(tokenId, topics, amountData(amount), ofCall ? draftKind.syntheticOfCall : draftKind.synthetic)
}

/** Stands for all that the sender has. */
const allSerials = -1n

/** The same as a topic. */
export const allSerialsTopic = numberDigits(allSerials)

export interface NftMovement {
  readonly tokenId: bigint
  readonly sender: bigint | null
  readonly receiver: bigint | null
  readonly serial: bigint
}

export function nftTransferLog({ tokenId, sender, receiver, serial }: NftMovement): DraftLog {
  const topics = [eventTopic.transfer, numberTopic(sender), numberTopic(receiver), serialTopic(serial)] as const
  return made(tokenId, topics, zeroByte, serial === allSerials ? draftKind.syntheticOfAll : draftKind.synthetic)
}

export interface Approval {
  readonly tokenId: bigint
  readonly owner: bigint
  /** null for nobody. */
  readonly spender: bigint | null
}

export function approvalLog({ tokenId, owner, spender }: Approval, amount: bigint): DraftLog {
  return made(tokenId, [eventTopic.approval, numberTopic(owner), numberTopic(spender), null], amountData(amount))
}

export function nftApprovalLog({ tokenId, owner, spender }: Approval, serial: bigint): DraftLog {
  const topics = [eventTopic.approval, numberTopic(owner), numberTopic(spender), serialTopic(serial)] as const
  return made(tokenId, topics, zeroByte)
}

export function approvalForAllLog({ tokenId, owner, spender }: Approval, approved: boolean): DraftLog {
  const topics = [eventTopic.approvalForAll, numberTopic(owner), numberTopic(spender), null] as const
  return made(tokenId, topics, amountData(approved ? 1n : 0n))
}
