import { asBuffer } from '#src/domain/bytes.ts'

/**
 * How the REST API shows a serialized protobuf Key: simple keys, also wrapped in a list of one, by type and hex; an absent
 * key and the empty key list as null; everything else as the protobuf's hex.
 */
const simpleKeys = [
  { prefix: '1220', type: 'ED25519', digits: 64 },
  { prefix: '32240a221220', type: 'ED25519', digits: 64 },
  { prefix: '2a28080112240a221220', type: 'ED25519', digits: 64 },
  { prefix: '3a21', type: 'ECDSA_SECP256K1', digits: 66 },
  { prefix: '32250a233a21', type: 'ECDSA_SECP256K1', digits: 66 },
  { prefix: '2a29080112250a233a21', type: 'ECDSA_SECP256K1', digits: 66 },
] as const

const emptyKeyList = '3200'

/** JSON text of a key object, or `null`. */
export function renderKey(key: Uint8Array | null): string {
  if (key === null) return 'null'
  const hex = asBuffer(key).toString('hex')
  if (hex === emptyKeyList) return 'null'
  for (const { prefix, type, digits } of simpleKeys) {
    if (hex.length === prefix.length + digits && hex.startsWith(prefix))
      return `{"_type":"${type}","key":"${hex.slice(prefix.length)}"}`
  }
  return `{"_type":"ProtobufEncoded","key":"${hex}"}`
}
