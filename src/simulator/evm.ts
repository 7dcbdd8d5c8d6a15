import { keccak256 } from '#src/domain/keccak.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, contractId, wrapped } from '#src/simulator/ids.ts'

/** An event that a contract emitted. Topics have 32 bytes. */
export interface Log {
  readonly contract: number
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

export interface CallFacts {
  readonly contract: number
  readonly sender: number
  readonly gas: number
  readonly gasUsed: number
  /** Tinybars. */
  readonly amount?: number
  readonly input?: Uint8Array
  readonly output?: Uint8Array
  readonly error?: string
  readonly logs?: readonly Log[]
}

export const transferTopic = keccak256(Buffer.from('Transfer(address,address,uint256)'))

const bloomBytes = 256

/** A ContractFunctionResult; its bloom is the union of the blooms of its logs, and empty without any. */
export function callResult(facts: CallFacts): Message {
  const logInfo = (facts.logs ?? []).map(logMessage)
  return {
    contractID: contractId(facts.contract),
    ...(facts.output ? { contractCallResult: facts.output } : {}),
    ...(facts.error ? { errorMessage: facts.error } : {}),
    ...(logInfo.length > 0 ? { bloom: unionOf(logInfo.map(({ bloom }) => bloom as Buffer)) } : {}),
    gasUsed: facts.gasUsed,
    logInfo,
    gas: facts.gas,
    ...(facts.amount ? { amount: facts.amount } : {}),
    ...(facts.input ? { functionParameters: facts.input } : {}),
    senderId: accountId(facts.sender),
  }
}

function logMessage({ contract, address, topics, data }: Log): Message {
  return { contractID: contractId(contract), bloom: bloomOf([address, ...topics]), topic: topics, data }
}

/** Sets three bits for each item, chosen by the first three byte pairs of its Keccak-256. */
function bloomOf(items: readonly Uint8Array[]): Buffer {
  const bloom = Buffer.alloc(bloomBytes)
  for (const item of items) {
    const digest = keccak256(item)
    for (const offset of [0, 2, 4]) {
      const bit = digest.readUInt16BE(offset) % (bloomBytes * 8)
      const index = bloomBytes - 1 - (bit >> 3)
      bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
    }
  }
  return bloom
}

function unionOf(blooms: readonly Uint8Array[]): Buffer {
  const union = Buffer.alloc(bloomBytes)
  for (const bloom of blooms) for (const [index, byte] of bloom.entries()) union[index] = (union[index] ?? 0) | byte
  return union
}

/** A 32-byte word holding a number up to 2^53. */
export function word(value: number): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}

export function addressWord(address: Uint8Array): Buffer {
  const bytes = Buffer.alloc(32)
  bytes.set(address, 12)
  return bytes
}

/** The address of an entity that has none of its own: its number in 20 bytes. */
export function longZero(num: number): Buffer {
  return Buffer.from(num.toString(16).padStart(40, '0'), 'hex')
}

export function storageChange(slot: string, read: string, written: string | undefined): Message {
  return {
    slot: trimmed(slot),
    valueRead: trimmed(read),
    ...(written === undefined ? {} : { valueWritten: wrapped(trimmed(written)) }),
  }
}

/** Sidecars carry slots and values without leading zero bytes. */
function trimmed(hex: string): Buffer {
  const digits = hex.replace(/^(00)+/, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

type RlpItem = Uint8Array | readonly RlpItem[]

/** Recursive length prefix encoding, the format of Ethereum transactions. */
export function rlp(item: RlpItem): Buffer {
  if (item instanceof Uint8Array) {
    const [first] = item
    return item.length === 1 && first !== undefined && first < 0x80
      ? Buffer.from(item)
      : Buffer.concat([rlpLength(item.length, 0x80), item])
  }
  const payload = Buffer.concat(item.map(rlp))
  return Buffer.concat([rlpLength(payload.length, 0xc0), payload])
}

/** A number as RLP wants it: big-endian without leading zeros, zero as empty. */
export function rlpNumber(value: number | bigint): Buffer {
  const hex = BigInt(value).toString(16)
  return value === 0 || value === 0n ? Buffer.alloc(0) : Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function rlpLength(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.of(offset + length)
  const bytes = rlpNumber(length)
  return Buffer.concat([Buffer.of(offset + 55 + bytes.length), bytes])
}
