import type { ProjectionSchema } from '#src/ports/read-store.ts'

/**
 * What the importer has to know to go on: a fold over the log like any read model, so that no private file can disagree
 * with it.
 */
export const importStateSchema = {
  name: 'import-state',
  version: 3,
  collections: {
    /** The one row with id 0: network and last block. */
    progress: {
      kind: 'state',
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
        /** Format: 1, 2, 5 and 6 of record files, 7 of the block stream. */
        blockVersion: 'int32',
        /** 48 bytes by which the next block names it where the block stream has it, too; null where that is not known. */
        blockRoot: 'bytes?',
        /** Version of the ledger's API, `0.79.0`; null where it is not known. */
        blockHapiVersion: 'text?',
        blocks: 'int64',
        transactions: 'int64',
        /** Places where a block does not continue the one before it. */
        breaks: 'int64',
        /** Blocks that are missing there, going by the numbers; at least one each where those were only counted. */
        gapBlocks: 'int64',
      },
      key: ['id'],
    },
    /**
     * `book/<file>`: bytes of the newest complete address book; `upload/<file>`: contents since the file's last create or
     * update; `stakes`: JSON of the latest node stake update, pairs of node id and stake as decimal text; `ledger`: the serialized
     * publication of the ledger's id; `block-nodes`: JSON of the registered block nodes; `uploads`: JSON of the ids of the kept files.
     */
    documents: {
      kind: 'state',
      fields: { name: 'text', time: 'int64', contents: 'bytes' },
      key: ['name'],
    },
    /** Contents of the files that were written last. */
    files: { kind: 'state', fields: { file: 'int64', contents: 'bytes' }, key: ['file'] },
  },
} as const satisfies ProjectionSchema

/** Where the state of one log generation is kept: the numbers of the generations are those of the builds. */
export function importStateOf(generation: number): ProjectionSchema {
  return generation === 1 ? importStateSchema : { ...importStateSchema, build: generation }
}
