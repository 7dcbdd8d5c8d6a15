import { byteDamages } from '#test/drill/blocks/byte-damages.ts'
import type { BlockDamage, DamageContext } from '#test/drill/blocks/damage.ts'
import { itemDamages } from '#test/drill/blocks/item-damages.ts'
import { proofDamages } from '#test/drill/blocks/proof-damages.ts'
import { wrappedDamages } from '#test/drill/blocks/wrapped-damages.ts'

/** Another block in place of the one that is wanted. */
const otherBlocks: Readonly<Record<string, BlockDamage>> = {
  'another block of its chain': ({ block, chain, dice }) => {
    const other = dice.pick(chain.blocks)!
    return other.equals(block) ? undefined : other
  },
  'the block of that number in another chain': ({ chain, chains, number, dice }) => {
    const other = dice.pick(chains)!
    // Nothing is wrong with a first block of which nobody has said whom to believe, nor with what the same nodes have signed as record files.
    if (number === 0n && (chain.ledger === undefined || chain.isWrapped !== other.isWrapped)) return undefined
    return other.name === chain.name ? undefined : other.blocks[Number(number - chain.first)]
  },
}

const blockDamages: readonly (readonly [kind: string, damage: BlockDamage])[] = Object.entries({
  ...byteDamages,
  ...itemDamages,
  ...proofDamages,
  ...wrappedDamages,
  ...otherBlocks,
})

export interface DamagedBlock {
  readonly kind: string
  readonly bytes: Buffer
}

/** The block, damaged in one way, or in two. */
export function damagedBlock(context: DamageContext): DamagedBlock {
  const { dice } = context
  for (;;) {
    const [kind, damage] = dice.pick(blockDamages)!
    const bytes = damage(context)
    if (bytes === undefined || bytes.equals(context.block)) continue
    return { kind, bytes }
  }
}
