import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { isKeySatisfied, type SimpleKey } from '#src/evm/services/keys.ts'

/** A signature by whose key begins so. */
export interface SignaturePair {
  readonly prefix: Uint8Array
  readonly kind: 'ed25519' | 'secp256k1'
  readonly signature: Uint8Array
}

const field = { pair: 1, prefix: 1, ed25519: 3, secp256k1: 6 } as const
const compactBytes = 64
/** Of the last part of a signature: 27 and 28, or with the chain's id. */
const plainRecovery = 27n
const chainRecovery = 35n
const fail = (reason: string): LedgerError => new LedgerError('invalid_parameter', reason)

/** The pairs of a serialized SignatureMap; undefined where the bytes are none. */
export function pairsOfMap(bytes: Uint8Array): SignaturePair[] | undefined {
  try {
    const pairs: SignaturePair[] = []
    const map = new FieldReader(Buffer.from(bytes), fail)
    while (map.next()) if (map.field === field.pair) pairs.push(...pairOf(map.message()))
    return pairs
  } catch (error) {
    if (error instanceof LedgerError) return undefined
    throw error
  }
}

function pairOf(reader: FieldReader): SignaturePair[] {
  let prefix: Uint8Array = new Uint8Array(0)
  const found: Omit<SignaturePair, 'prefix'>[] = []
  while (reader.next()) {
    if (reader.field === field.prefix) prefix = reader.bytes()
    else if (reader.field === field.ed25519) found.push({ kind: 'ed25519', signature: reader.bytes() })
    else if (reader.field === field.secp256k1) found.push({ kind: 'secp256k1', signature: reader.bytes() })
  }
  return found.map((each) => ({ prefix, ...each }))
}

/** Whether signatures of a message are enough for a key. */
export function isSignedBy(key: Uint8Array | null, message: Uint8Array, pairs: readonly SignaturePair[]): boolean {
  return isKeySatisfied(key, (simple) => pairs.some((pair) => isPairOf(pair, simple, message)))
}

/** Whether a pair is the signature of a message by a key. */
export function isPairOf({ prefix, kind, signature }: SignaturePair, key: SimpleKey, message: Uint8Array): boolean {
  if (key.kind !== kind || !Buffer.from(key.bytes).subarray(0, prefix.length).equals(prefix)) return false
  return kind === 'ed25519'
    ? isEd25519(signature, message, key.bytes)
    : isSecp256k1(signature, keccak256(message), key.bytes)
}

/** Whether it is one; bytes that are no signature are none. */
export function isEd25519(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  if (signature.length !== compactBytes) return false
  try {
    return ed25519.verify(signature, message, key)
  } catch {
    return false
  }
}

function isSecp256k1(signature: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean {
  if (signature.length !== compactBytes) return false
  try {
    return secp256k1.verify(signature, hash, key, { prehash: false, lowS: false })
  } catch {
    return false
  }
}

/** Whether a signature with what its key is recovered by is of a key. */
export function isRecoverable(signature: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean {
  const last = BigInt(`0x${Buffer.from(signature.subarray(compactBytes)).toString('hex')}`)
  const bit = last >= chainRecovery ? (last - chainRecovery) % 2n : last - plainRecovery
  if (bit !== 0n && bit !== 1n) return false
  try {
    const compact = secp256k1.Signature.fromBytes(signature.slice(0, compactBytes)).addRecoveryBit(Number(bit))
    return Buffer.from(compact.recoverPublicKey(hash).toBytes(true)).equals(key)
  } catch {
    return false
  }
}
