import { createECDH, hash } from 'node:crypto'
import { keccak256 } from '#src/domain/keccak.ts'
import type { Message } from '#src/simulator/codec.ts'

const remembered = 20_000

interface KeyFacts {
  readonly publicKey: Buffer
  readonly evmAddress: Buffer | undefined
}

/** Key pairs of accounts, derived from the seed and the account number, so that none has to be stored. */
export class KeyRing {
  readonly #seed: string
  readonly #keys = new Map<number, KeyFacts>()

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

  /** Points on the curve cost some 60 microseconds, so the facts are remembered. */
  #facts(num: number, ecdsa: boolean): KeyFacts {
    const index = num * 2 + (ecdsa ? 1 : 0)
    const known = this.#keys.get(index)
    if (known) return known
    const secret = hash('sha256', `${this.#seed}/account/${num}`, 'buffer')
    const facts = ecdsa ? curveFacts(secret) : { publicKey: secret, evmAddress: undefined }
    if (this.#keys.size >= remembered) this.#keys.clear()
    this.#keys.set(index, facts)
    return facts
  }
}

function curveFacts(secret: Buffer): KeyFacts {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(secret)
  return {
    publicKey: curve.getPublicKey(null, 'compressed'),
    evmAddress: keccak256(curve.getPublicKey(null, 'uncompressed').subarray(1)).subarray(12),
  }
}
