import { hexOf } from '#src/domain/bytes.ts'

/**
 * How the REST API shows a serialized protobuf Key: simple keys, also wrapped in a list of one, by type and hex; an absent
 * key and the empty key list as null; everything else as the protobuf's hex.
 */
const simpleKeys = [
  { prefix: '1220', type: 'ED25519', bytes: 32 },
  { prefix: '32240a221220', type: 'ED25519', bytes: 32 },
  { prefix: '2a28080112240a221220', type: 'ED25519', bytes: 32 },
  { prefix: '3a21', type: 'ECDSA_SECP256K1', bytes: 33 },
  { prefix: '32250a233a21', type: 'ECDSA_SECP256K1', bytes: 33 },
  { prefix: '2a29080112250a233a21', type: 'ECDSA_SECP256K1', bytes: 33 },
].map(({ prefix, type, bytes }) => ({ prefix: Buffer.from(prefix, 'hex'), type, bytes }))

/** No two of them are of the same length. */
const simpleByLength = new Map(simpleKeys.map((simple) => [simple.prefix.length + simple.bytes, simple]))

const emptyKeyList = Buffer.from('3200', 'hex')

/** Hex of the one key that a simple key has; undefined of all others. */
export function simpleKeyHex(key: Uint8Array): string | undefined {
  const simple = simpleByLength.get(key.length)
  return simple !== undefined && startsWith(key, simple.prefix) ? hexOf(key, simple.prefix.length) : undefined
}

/** JSON text of a key object, or `null`. */
export function renderKey(key: Uint8Array | null): string {
  if (key === null) return 'null'
  const hex = simpleKeyHex(key)
  if (hex !== undefined) return `{"_type":"${simpleByLength.get(key.length)!.type}","key":"${hex}"}`
  if (key.length === emptyKeyList.length && startsWith(key, emptyKeyList)) return 'null'
  return `{"_type":"ProtobufEncoded","key":"${hexOf(key)}"}`
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  for (let index = 0; index < prefix.length; index++) if (bytes[index] !== prefix[index]) return false
  return true
}
