import type { Chain } from '#test/drill/blocks/chains.ts'

/** What there is to damage a block with. */
export interface DamageContext {
  /** Serialized Block. */
  readonly block: Buffer
  readonly number: bigint
  readonly chain: Chain
  /** Others, of the same network's form or another one's. */
  readonly chains: readonly Chain[]
  readonly dice: Dice
}

/** Damages a block; undefined where it has nothing of the kind. */
export type BlockDamage = (context: DamageContext) => Buffer | undefined

export class Dice {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** From 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)]
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }

  /** One bit of a copy. */
  flipped(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[this.below(copy.length)]! ^= 1 << this.below(8)
    return copy
  }
}
