import { hash } from 'node:crypto'

export type PrngState = [number, number, number, number]

/**
 * The simulator's only source of chance: xoshiro128** (Blackman and Vigna), seeded with the first 16 bytes of the
 * SHA-256 of the seed text. 32-bit integer arithmetic only, so every machine draws the same numbers. Not for secrets.
 */
export class Prng {
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(seed: string | PrngState) {
    const [a, b, c, d] = typeof seed === 'string' ? seedWords(seed) : seed
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
  }

  get state(): PrngState {
    return [this.#a, this.#b, this.#c, this.#d]
  }

  /** An integer from 0 to 2^32 - 1. */
  next(): number {
    const scrambled = Math.imul(rotateLeft(Math.imul(this.#b, 5), 7), 9) >>> 0
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = rotateLeft(this.#d, 11)
    return scrambled
  }

  /** A number in [0, 1) with 32 random bits. */
  unit(): number {
    return this.next() / 0x1_0000_0000
  }

  /** An integer in [0, bound); the slight bias of scaling does not matter to a simulation. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound)
  }

  /** An integer in [from, to], both inclusive. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1)
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.below(list.length)]
    if (value === undefined) throw new RangeError('cannot pick from an empty list')
    return value
  }

  bytes(length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length)
    let offset = 0
    for (; offset + 4 <= length; offset += 4) buffer.writeUInt32LE(this.next(), offset)
    for (; offset < length; offset++) buffer[offset] = this.next() & 0xff
    return buffer
  }
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

function seedWords(seed: string): PrngState {
  const digest = hash('sha256', seed, 'buffer')
  // The all-zero state is the one that xoshiro cannot leave.
  return [digest.readInt32LE(0) | 1, digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)]
}
