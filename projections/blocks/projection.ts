import { blockFields, renderBlock } from '#projections/blocks/render.ts'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** The row that says which numbering is current; the others count from 0. */
const currentKey = -1

/** Blocks, and the corrections of their numbering. */
export const blocksProjection = defineProjection(blocksSchema)
  .on('BlockRecorded', {
    reads: blockFields,
    apply: (block, rows) => {
      const epoch = Number(rows.get('numbering', currentKey)?.shift ?? 0n)
      const { number, consensusEnd, hash } = block
      rows.put('blocks', { epoch, number, consensusEnd, hash: hash.toString('hex'), ...renderBlock(block) })
    },
  })
  .on('BlockNumbersShifted', {
    reads: ['shift'],
    apply: ({ shift }, rows) => {
      const epoch = Number(rows.get('numbering', currentKey)?.shift ?? 0n)
      rows.put('numbering', { epoch, shift })
      rows.put('numbering', { epoch: currentKey, shift: BigInt(epoch + 1) })
    },
  })
