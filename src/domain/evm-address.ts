import { ECDH } from 'node:crypto'
import { asBuffer } from '#src/domain/bytes.ts'
import { entityIdParts, maxNumber } from '#src/domain/entity-id.ts'
import { keccak256 } from '#src/domain/keccak.ts'

/** Bytes of an EVM address, and of an alias that is one. */
export const evmAddressBytes = 20

/** Twelve zero bytes and a number: the address of an entity that has none of its own. */
export function isLongZero(address: Uint8Array): boolean {
  if (address.length !== evmAddressBytes) return false
  for (let index = 0; index < 12; index++) if (address[index] !== 0) return false
  return true
}

/** The long-zero address of an entity: its number, without shard and realm. */
export function longZeroAddress(id: bigint): Buffer {
  const address = Buffer.alloc(evmAddressBytes)
  address.writeBigUInt64BE(entityIdParts(id).number, 12)
  return address
}

/** The same as hex digits. */
export function longZeroDigits(id: bigint): string {
  const number = id >= 0n && id <= maxNumber ? id : entityIdParts(id).number
  return number.toString(16).padStart(2 * evmAddressBytes, '0')
}

/** A serialized Key with a compressed secp256k1 key: field 7, 33 bytes. */
const keyPrefix = Buffer.from('3a21', 'hex')
const keyBytes = 35

/**
 * The EVM address that an alias stands for: the alias itself where it is one; of a secp256k1 key the last 20 bytes of the
 * Keccak-256 of the uncompressed point. Null for everything else, an Ed25519 key for one.
 */
export function evmAddressOfAlias(alias: Uint8Array): Uint8Array | null {
  if (alias.length === evmAddressBytes) return alias
  const bytes = asBuffer(alias)
  if (bytes.length !== keyBytes || !bytes.subarray(0, 2).equals(keyPrefix)) return null
  let address = derived.get(alias)
  if (address === undefined) {
    const point = uncompressed(bytes.subarray(2))
    address = point === null ? null : Buffer.from(keccak256(point.subarray(1)).subarray(12))
    derived.set(alias, address)
  }
  return address
}

/** A point of the curve costs some 30 us, and a fold asks for the same alias several times. */
const derived = new WeakMap<Uint8Array, Uint8Array | null>()

function uncompressed(key: Buffer): Buffer | null {
  try {
    return ECDH.convertKey(key, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
  } catch {
    // 33 bytes that are no point of the curve: an alias like any other, without an address.
    return null
  }
}
