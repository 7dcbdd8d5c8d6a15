import { blocksSchema } from '#projections/blocks/schema.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** The row that says which numbering is current; the others count from 0. */
const currentKey = -1

/** Blocks, and the corrections of their numbering. */
export const blocksProjection = defineProjection(blocksSchema)
  .on('BlockRecorded', {
    reads: [
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
    apply: (
      { hash, gasUsed, hapiVersionMajor: major, hapiVersionMinor: minor, hapiVersionPatch: patch, ...block },
      rows,
    ) => {
      rows.put('blocks', {
        ...block,
        epoch: Number(rows.get('numbering', currentKey)?.shift ?? 0n),
        hash: hash.toString('hex'),
        gasUsed: gasUsed === -1n ? null : gasUsed,
        hapiVersion: major === null || minor === null || patch === null ? null : `${major}.${minor}.${patch}`,
      })
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
