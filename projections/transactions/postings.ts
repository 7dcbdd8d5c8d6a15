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

/** One transaction in a posting list: enough to filter without reading its row. */
export interface Posting {
  readonly consensusTimestamp: bigint
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

/** Size of one entry of a posting list. */
export const postingBytes = 12
const partyBytes = 9
const innerIdBytes = 16

/** 12 bytes each, ascending by time: timestamp int64, type uint16, flags uint8, success uint8; big-endian. */
export function writePosting(target: Buffer, offset: number, posting: Posting): number {
  target.writeBigInt64BE(posting.consensusTimestamp, offset)
  target.writeUInt16BE(posting.type & 0xffff, offset + 8)
  target.writeUInt8(posting.flags, offset + 10)
  target.writeUInt8(posting.success ? 1 : 0, offset + 11)
  return offset + postingBytes
}

export function encodePostings(postings: readonly Posting[]): Buffer {
  const target = Buffer.allocUnsafe(postings.length * postingBytes)
  let offset = 0
  for (const posting of postings) offset = writePosting(target, offset, posting)
  return target
}

export function decodePostings(bytes: Uint8Array): Posting[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const postings: Posting[] = []
  for (let offset = 0; offset < source.length; offset += postingBytes) {
    postings.push({
      consensusTimestamp: source.readBigInt64BE(offset),
      type: source.readUInt16BE(offset + 8),
      flags: source.readUInt8(offset + 10),
      success: source.readUInt8(offset + 11) === 1,
    })
  }
  return postings
}

/** 9 bytes each, ascending by account: account int64, flags uint8. */
export function encodeParties(parties: readonly Party[]): Buffer {
  const target = Buffer.allocUnsafe(parties.length * partyBytes)
  let offset = 0
  for (const { account, flags } of parties) {
    target.writeBigInt64BE(account, offset)
    target.writeUInt8(flags, offset + 8)
    offset += partyBytes
  }
  return target
}

export function decodeParties(bytes: Uint8Array): Party[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parties: Party[] = []
  for (let offset = 0; offset < source.length; offset += partyBytes) {
    parties.push({ account: source.readBigInt64BE(offset), flags: source.readUInt8(offset + 8) })
  }
  return parties
}

export interface InnerId {
  readonly payer: bigint
  readonly validStart: bigint
}

export function encodeInnerIds(ids: readonly InnerId[]): Buffer {
  const target = Buffer.allocUnsafe(ids.length * innerIdBytes)
  let offset = 0
  for (const { payer, validStart } of ids) {
    target.writeBigInt64BE(payer, offset)
    target.writeBigInt64BE(validStart, offset + 8)
    offset += innerIdBytes
  }
  return target
}

export function decodeInnerIds(bytes: Uint8Array): InnerId[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ids: InnerId[] = []
  for (let offset = 0; offset < source.length; offset += innerIdBytes) {
    ids.push({ payer: source.readBigInt64BE(offset), validStart: source.readBigInt64BE(offset + 8) })
  }
  return ids
}
