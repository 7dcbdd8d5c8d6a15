import { keccak256 } from '#src/domain/keccak.ts'

/** Hashes of addresses and slots repeat all the time, and each takes longer than the rest of a log. */
const remembered = 20_000
const digests = new Map<string, Buffer>()

/** Keccak-256 of something short that occurs again and again. */
export function keccakOfKnown(bytes: Uint8Array): Buffer {
  const key = Buffer.from(bytes).toString('latin1')
  const known = digests.get(key)
  if (known) return known
  const digest = keccak256(bytes)
  if (digests.size >= remembered) digests.clear()
  digests.set(key, digest)
  return digest
}

/** A 32-byte word holding a number up to 2^53; a negative one as its two's complement. */
export function word(value: number): Buffer {
  return Buffer.from(BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0'), 'hex')
}

/** The address, 40 hex digits, in a 32-byte word. */
export function addressWord(address: string): Buffer {
  return Buffer.from(address.padStart(64, '0'), 'hex')
}

/** The address of an entity that has none of its own: its number in 40 hex digits. */
export function longZero(num: number): string {
  return num.toString(16).padStart(40, '0')
}

/** Calls and errors whose arguments are of fixed size: the selector of the signature, then a word for each. */
export function encoded(signature: string, ...words: readonly Uint8Array[]): Buffer {
  return Buffer.concat([keccakOfKnown(Buffer.from(signature)).subarray(0, 4), ...words])
}

/** Where Solidity keeps the entry of a mapping, as 64 hex digits; of a mapping in a mapping `slot` is such a place. */
export function mappingSlot(key: string, slot: string): string {
  return keccakOfKnown(Buffer.from(key.padStart(64, '0') + slot.padStart(64, '0'), 'hex')).toString('hex')
}
