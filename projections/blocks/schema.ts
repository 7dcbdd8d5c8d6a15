import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * Version 2 of the blocks read model. Blocks before the first file that carries numbers are numbered provisionally. When
 * that numbering proves wrong, no row is rewritten: another numbering begins, and the rows of earlier ones are read with
 * their numbering's shift added to the stored number. Rows call the number of a numbering `epoch`.
 */
export const blocksSchema = defineSchema({
  name: 'blocks',
  version: 2,
  collections: {
    blocks: {
      kind: 'state',
      fields: {
        epoch: 'int32',
        /** Number as recorded; add the shift of its numbering for the true one. */
        number: 'int64',
        /** Consensus times (ns) of the first and the last transaction. */
        consensusStart: 'int64',
        consensusEnd: 'int64',
        /** Lower-case hex without 0x. */
        hash: 'text',
        previousHash: 'bytes',
        /** Of the record file. */
        name: 'text',
        /** Transactions. */
        count: 'int64',
        /** Bytes. */
        size: 'int32?',
        gasUsed: 'int64?',
        hapiVersion: 'text?',
        /** As recorded: empty where the block has no logs. */
        logsBloom: 'bytes?',
      },
      key: ['epoch', 'number'],
      indexes: [['consensusEnd'], ['hash']],
    },
    /**
     * One row per numbering that ended, from 0: what to add to the numbers of its rows. One without a row has shift 0. A shift
     * corrects only the numbering that it ends: numbers before an earlier correction were right already. Row -1 holds the
     * current one in `shift`.
     */
    numbering: {
      kind: 'state',
      fields: { epoch: 'int32', shift: 'int64' },
      key: ['epoch'],
    },
  },
})
