import type { ProjectionSchema } from '#src/ports/read-store.ts'

/**
 * What the importer has to know to go on: a fold over the log like any read model, so that no private file can disagree
 * with it.
 */
export const importStateSchema = {
  name: 'import-state',
  version: 1,
  collections: {
    /** The one row with id 0: network and last block. */
    progress: {
      fields: {
        id: 'int32',
        network: 'text',
        /** Name of the file that the last block came from; null before the first, like all that follows. */
        blockName: 'text',
        blockNumber: 'int64',
        blockNumberProvisional: 'int32',
        /** 48 bytes that the next file has to name as its previous hash. */
        blockHash: 'bytes',
        /** Consensus time (ns) of the block's last transaction. */
        blockTime: 'int64',
        blocks: 'int64',
        transactions: 'int64',
      },
      key: ['id'],
    },
    /**
     * `book/<file>`: bytes of the newest complete address book; `upload/<file>`: contents since the file's last create or
     * update; `stakes`: JSON of the latest node stake update, pairs of node id and stake as decimal text.
     */
    documents: {
      fields: { name: 'text', time: 'int64', contents: 'bytes' },
      key: ['name'],
    },
  },
} as const satisfies ProjectionSchema
