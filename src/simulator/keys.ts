import { createECDH, hash } from 'node:crypto'
import { keccak256 } from '#src/domain/keccak.ts'
import type { Message } from '#src/simulator/codec.ts'

const remembered = 20_000
/** Order of the group that secp256k1 makes. */
const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

interface KeyFacts {
  readonly publicKey: Buffer
  readonly evmAddress: Buffer | undefined
}

/** What every signature of one key begins with. */
interface Signer {
  readonly secret: bigint
  readonly r: bigint
  readonly odd: boolean
  /** Inverse of the number that `r` comes from. */
  readonly inverse: bigint
}

/** Of ECDSA on secp256k1, with the smaller one of the two possible `s`, as Ethereum wants it. */
export interface Signature {
  readonly r: bigint
  readonly s: bigint
  /** Whether the point that `r` belongs to has an odd y: with it the signer's key is found. */
  readonly odd: boolean
}

/** Key pairs of accounts, derived from the seed and the account number, so that none has to be stored. */
export class KeyRing {
  readonly #seed: string
  readonly #keys = new Map<number, KeyFacts>()
  readonly #signers = new Map<number, Signer>()

  constructor(seed: string) {
    this.#seed = seed
  }

  /** 32 bytes for Ed25519, 33 (compressed) for ECDSA secp256k1. Ed25519 keys are just random bytes: nothing is verified with them. */
  publicKey(num: number, ecdsa: boolean): Buffer {
    return this.#facts(num, ecdsa).publicKey
  }

  /** The last 20 bytes of the Keccak-256 of the uncompressed public key. */
  evmAddress(num: number): Buffer {
    const { evmAddress } = this.#facts(num, true)
    if (!evmAddress) throw new TypeError(`account ${num} has an Ed25519 key and therefore no EVM address`)
    return evmAddress
  }

  key(num: number, ecdsa: boolean): Message {
    const bytes = this.publicKey(num, ecdsa)
    return ecdsa ? { ECDSASecp256k1: bytes } : { ed25519: bytes }
  }

  /**
   * Signs 32 bytes with the ECDSA key of the number. Each key has one point for all its signatures, since a point takes
   * longer than everything else; that gives keys away, of which these are none to hide.
   */
  sign(num: number, digest: Uint8Array): Signature {
    const { secret, r, odd, inverse } = this.#signer(num)
    const s = modulo(inverse * (numberOf(digest) + r * secret))
    return s > groupOrder / 2n ? { r, s: groupOrder - s, odd: !odd } : { r, s, odd }
  }

  #signer(num: number): Signer {
    const known = this.#signers.get(num)
    if (known) return known
    const once = hash('sha256', `${this.#seed}/signatures/${num}`, 'buffer')
    const point = pointOf(once)
    const r = modulo(numberOf(point.subarray(1, 33)))
    const odd = (point[64] ?? 0) % 2 === 1
    const signer = { secret: numberOf(this.#secret(num)), r, odd, inverse: inverseOf(numberOf(once)) }
    if (this.#signers.size >= remembered) this.#signers.clear()
    this.#signers.set(num, signer)
    return signer
  }

  #secret(num: number): Buffer {
    return hash('sha256', `${this.#seed}/account/${num}`, 'buffer')
  }

  /** Points on the curve cost some 60 microseconds, so the facts are remembered. */
  #facts(num: number, ecdsa: boolean): KeyFacts {
    const index = num * 2 + (ecdsa ? 1 : 0)
    const known = this.#keys.get(index)
    if (known) return known
    const secret = this.#secret(num)
    const facts = ecdsa ? curveFacts(secret) : { publicKey: secret, evmAddress: undefined }
    if (this.#keys.size >= remembered) this.#keys.clear()
    this.#keys.set(index, facts)
    return facts
  }
}

function curveFacts(secret: Buffer): KeyFacts {
  const point = pointOf(secret)
  const compressed = Buffer.concat([Buffer.of(2 + ((point[64] ?? 0) % 2)), point.subarray(1, 33)])
  return { publicKey: compressed, evmAddress: keccak256(point.subarray(1)).subarray(12) }
}

/** So many times the base point of the curve, uncompressed: 04, x, y. */
function pointOf(times: Buffer): Buffer {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(times)
  return curve.getPublicKey(null, 'uncompressed')
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function modulo(value: bigint): bigint {
  return value % groupOrder
}

/** By Fermat: the order is a prime. */
function inverseOf(value: bigint): bigint {
  let [result, base] = [1n, modulo(value)]
  for (let exponent = groupOrder - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = modulo(result * base)
    base = modulo(base * base)
  }
  return result
}
