import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** Keys by the text the address book has; parsing one costs more than using it. */
export class PublicKeys {
  readonly #keys = new Map<string, KeyObject | undefined>()

  /** The key of a hex text of a DER SubjectPublicKeyInfo; undefined when it is none. */
  find(hex: string): KeyObject | undefined {
    if (this.#keys.has(hex)) return this.#keys.get(hex)
    // More keys than any book holds: old ones of a network that renews its keys.
    if (this.#keys.size > 1_000) this.#keys.clear()
    const key = parseKey(hex)
    this.#keys.set(hex, key)
    return key
  }
}

/** RSASSA-PKCS1-v1_5 with SHA-384 over the 48 bytes of the hash, which the scheme hashes again. */
export function isSignedBy(key: KeyObject, hash: Uint8Array, signature: Uint8Array): boolean {
  return verify('sha384', hash, key, signature)
}

function parseKey(hex: string): KeyObject | undefined {
  const text = hex.startsWith('0x') ? hex.slice(2) : hex
  if (text === '' || !/^(?:[0-9a-fA-F]{2})+$/.test(text)) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'hex'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    // Not a key: the node is treated as one without a key, and its signatures as not verifiable.
    return undefined
  }
}
