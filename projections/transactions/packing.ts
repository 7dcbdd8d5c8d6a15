import { asBuffer } from '#src/domain/bytes.ts'
import { writeInt64 } from '#src/domain/int64-words.ts'

/** Bits that say how an account takes part in a transaction. */
export const partyFlag = {
  /** Pays, under the rule that hides what precedes its parent. */
  payer: 1,
  /** A positive (negative) hbar or fungible token transfer of this account. */
  credit: 2,
  debit: 4,
  /** Occurs in the hbar or fungible token transfers, whatever the amount. */
  transfer: 8,
} as const

/** What a posting says of its transaction: enough to filter without reading the row. */
export interface Posting {
  /** Transaction type number. */
  readonly type: number
  /** Bits of partyFlag; 0 for terms that are not accounts. */
  readonly flags: number
  readonly success: boolean
}

export interface Party {
  readonly account: bigint
  /** Bits of partyFlag. */
  readonly flags: number
}

const partyBytes = 9
const innerIdBytes = 16
const nftTransferBytes = 33

/** As the payload of a list's entry: type in 16 bits, flags and success in 8 each. */
export function packPosting({ type, flags, success }: Posting): number {
  return (((type & 0xffff) << 16) | (flags << 8) | (success ? 1 : 0)) >>> 0
}

export function unpackPosting(payload: number): Posting {
  return { type: payload >>> 16, flags: (payload >>> 8) & 0xff, success: (payload & 1) === 1 }
}

/** 9 bytes each, ascending by account: account int64, flags uint8. */
export function encodeParties(parties: readonly Party[]): Buffer {
  return pack(parties, partyBytes, (target, offset, { account, flags }) => {
    writeInt64(target, offset, account)
    target[offset + 8] = flags
  })
}

export function decodeParties(bytes: Uint8Array): Party[] {
  return unpack(bytes, partyBytes, (source, offset) => ({
    account: source.readBigInt64BE(offset),
    flags: source.readUInt8(offset + 8),
  }))
}

export interface InnerId {
  readonly payer: bigint
  readonly validStart: bigint
}

/** 16 bytes each: payer int64, valid start int64. */
export function encodeInnerIds(ids: readonly InnerId[]): Buffer {
  return pack(ids, innerIdBytes, (target, offset, { payer, validStart }) => {
    target.writeBigInt64BE(validStart, target.writeBigInt64BE(payer, offset))
  })
}

export function decodeInnerIds(bytes: Uint8Array): InnerId[] {
  return unpack(bytes, innerIdBytes, (source, offset) => ({
    payer: source.readBigInt64BE(offset),
    validStart: source.readBigInt64BE(offset + 8),
  }))
}

/** Nobody sends an NFT that comes into being, and nobody receives one that goes. */
export interface NftTransfer {
  readonly tokenId: bigint
  readonly serialNumber: bigint
  readonly senderAccountId: bigint | null
  readonly receiverAccountId: bigint | null
  readonly isApproval: boolean
}

/** 33 bytes each, as they are listed: token, serial, sender and receiver int64, of which 0 is nobody, approval uint8. */
export function encodeNftTransfers(transfers: readonly NftTransfer[]): Buffer {
  return pack(transfers, nftTransferBytes, (target, offset, transfer) => {
    target.writeBigInt64BE(transfer.tokenId, offset)
    target.writeBigInt64BE(transfer.serialNumber, offset + 8)
    target.writeBigInt64BE(transfer.senderAccountId ?? 0n, offset + 16)
    target.writeBigInt64BE(transfer.receiverAccountId ?? 0n, offset + 24)
    target[offset + 32] = transfer.isApproval ? 1 : 0
  })
}

export function decodeNftTransfers(bytes: Uint8Array | null): NftTransfer[] {
  if (bytes === null) return []
  return unpack(bytes, nftTransferBytes, (source, offset) => ({
    tokenId: source.readBigInt64BE(offset),
    serialNumber: source.readBigInt64BE(offset + 8),
    senderAccountId: source.readBigInt64BE(offset + 16) || null,
    receiverAccountId: source.readBigInt64BE(offset + 24) || null,
    isApproval: source[offset + 32] === 1,
  }))
}

function pack<T>(items: readonly T[], size: number, write: (target: Buffer, offset: number, item: T) => void): Buffer {
  const target = Buffer.allocUnsafe(items.length * size)
  let offset = 0
  for (const item of items) {
    write(target, offset, item)
    offset += size
  }
  return target
}

function unpack<T>(bytes: Uint8Array, size: number, read: (source: Buffer, offset: number) => T): T[] {
  const source = asBuffer(bytes)
  const items: T[] = []
  for (let offset = 0; offset < source.length; offset += size) items.push(read(source, offset))
  return items
}
