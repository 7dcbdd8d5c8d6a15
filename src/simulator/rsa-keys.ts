import { checkPrimeSync, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { Prng } from '#src/simulator/prng.ts'

/** A node's signing key: RSA with 3072 bits and exponent 65537, the kind that the network's nodes use. */
export interface NodeKey {
  readonly privateKey: KeyObject
  /** DER SubjectPublicKeyInfo as lower-case hex: the text of RSA_PubKey in an address book. */
  readonly publicKeyHex: string
}

const publicExponent = 65_537n
const primeBytes = 192
const smallPrimes = primesBelow(4_000)
const keysBySeed = new Map<string, NodeKey>()
const keysRemembered = 64

/** The key that belongs to the seed text. Finding the primes takes some 200 ms, so recent keys are remembered. */
export function nodeKeyOf(seed: string): NodeKey {
  const known = keysBySeed.get(seed)
  if (known) return known
  const prng = new Prng(seed)
  const key = importKey(findPrime(prng), findPrime(prng))
  if (keysBySeed.size >= keysRemembered) keysBySeed.clear()
  keysBySeed.set(seed, key)
  return key
}

function importKey(first: bigint, second: bigint): NodeKey {
  const [p, q] = first > second ? [first, second] : [second, first]
  const d = inverseModulo(publicExponent, (p - 1n) * (q - 1n))
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'RSA',
      n: base64Url(p * q),
      e: base64Url(publicExponent),
      d: base64Url(d),
      p: base64Url(p),
      q: base64Url(q),
      dp: base64Url(d % (p - 1n)),
      dq: base64Url(d % (q - 1n)),
      qi: base64Url(inverseModulo(q, p)),
    },
  })
  const publicKeyHex = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('hex')
  return { privateKey, publicKeyHex }
}

/** The first suitable prime at or above a random 1536-bit start; its two top bits are set, so that products have 3072 bits. */
function findPrime(prng: Prng): bigint {
  for (;;) {
    const bytes = prng.bytes(primeBytes)
    bytes[0] = (bytes[0] ?? 0) | 0xc0
    bytes[primeBytes - 1] = (bytes[primeBytes - 1] ?? 0) | 1
    const prime = firstPrimeFrom(BigInt(`0x${bytes.toString('hex')}`))
    if (prime !== undefined) return prime
  }
}

function firstPrimeFrom(start: bigint): bigint | undefined {
  const residues = smallPrimes.map((prime) => Number(start % BigInt(prime)))
  for (let step = 0; step < 20_000; step += 2) {
    if (smallPrimes.some((prime, index) => ((residues[index] ?? 0) + step) % prime === 0)) continue
    const candidate = start + BigInt(step)
    if ((candidate - 1n) % publicExponent !== 0n && checkPrimeSync(candidate, { checks: 8 })) return candidate
  }
  return undefined
}

function inverseModulo(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [value, modulus]
  let [previousFactor, factor] = [1n, 0n]
  while (current !== 0n) {
    const quotient = previous / current
    ;[previous, current] = [current, previous - quotient * current]
    ;[previousFactor, factor] = [factor, previousFactor - quotient * factor]
  }
  return previousFactor < 0n ? previousFactor + modulus : previousFactor
}

function base64Url(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}

function primesBelow(limit: number): number[] {
  const primes: number[] = []
  for (let number = 3; number < limit; number += 2) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  }
  return primes
}
