import { renderBlock } from '#projections/blocks/render.ts'
import { blocksSchema } from '#projections/blocks/schema.ts'
import type { BlockNumbersShifted, BlockRecorded } from '#schemas/events/types.ts'
import type { RowRef } from '#src/runtime/fold/projection.ts'
import { defineProjection, type FoldContext } from '#src/runtime/fold/projection.ts'

/** The row that says which epoch is current; true epochs count from 0. */
const currentKey = [-1] as const
const current: RowRef = { collection: 'numbering', key: currentKey }

/** Blocks, and the corrections of their numbering. */
export const blocksProjection = defineProjection({
  schema: blocksSchema,
  reads: {
    BlockRecorded: [
      'number',
      'name',
      'hash',
      'previousHash',
      'consensusStart',
      'consensusEnd',
      'count',
      'size',
      'gasUsed',
      'logsBloom',
      'hapiVersionMajor',
      'hapiVersionMinor',
      'hapiVersionPatch',
    ],
    BlockNumbersShifted: ['shift'],
  },
  orderFree: false,
  needs: () => [current],
  apply: (event, context) => {
    if (event.type === 'BlockRecorded') applyBlock(event.event, context)
    else if (event.type === 'BlockNumbersShifted') applyShift(event.event, context)
  },
})

function applyBlock(block: BlockRecorded, context: FoldContext<undefined>): void {
  const epoch = currentEpoch(context)
  const { head, tail } = renderBlock(block)
  context.put('blocks', {
    epoch,
    number: block.number,
    consensusEnd: block.consensusEnd,
    hash: block.hash.toString('hex'),
    head,
    tail,
  })
}

function applyShift({ shift }: BlockNumbersShifted, context: FoldContext<undefined>): void {
  const epoch = currentEpoch(context)
  context.put('numbering', { epoch, shift })
  context.put('numbering', { epoch: currentKey[0], shift: BigInt(epoch + 1) })
}

function currentEpoch({ get }: FoldContext<undefined>): number {
  return Number(get(current.collection, currentKey)?.['shift'] ?? 0n)
}
