import type { BlockDamage } from '#test/drill/blocks/damage.ts'
import { varintField } from '#test/support/protobuf-writer.ts'

/** What a disk or a wire does to bytes. */
export const byteDamages: Readonly<Record<string, BlockDamage>> = {
  'a bit flipped': ({ block, dice }) => dice.flipped(block),
  'some bits flipped': ({ block, dice }) =>
    Array.from({ length: 2 + dice.below(20) }).reduce<Buffer>((bytes) => dice.flipped(bytes), block),
  'cut off': ({ block, dice }) => Buffer.from(block.subarray(0, dice.below(block.length))),
  'its beginning lost': ({ block, dice }) => Buffer.from(block.subarray(1 + dice.below(block.length - 1))),
  'a run of zeros': ({ block, dice }) => {
    const copy = Buffer.from(block)
    const start = dice.below(copy.length)
    return copy.fill(0, start, Math.min(start + 1 + dice.below(200), copy.length))
  },
  'bytes lost within': ({ block, dice }) => {
    const start = dice.below(block.length)
    return Buffer.concat([block.subarray(0, start), block.subarray(start + 1 + dice.below(40))])
  },
  'bytes put in': ({ block, dice }) => {
    const start = dice.below(block.length)
    return Buffer.concat([block.subarray(0, start), dice.bytes(1 + dice.below(40)), block.subarray(start)])
  },
  'bytes behind it': ({ block, dice }) => Buffer.concat([block, dice.bytes(1 + dice.below(40))]),
  'a field of no item behind it': ({ block, dice }) => Buffer.concat([block, varintField(2 + dice.below(9), 7)]),
  'twice in a row': ({ block }) => Buffer.concat([block, block]),
  empty: () => Buffer.alloc(0),
}
