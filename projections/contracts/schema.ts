import { entityIdParts } from '#src/domain/entity-id.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * Version 2 of the contracts read model: the code of contracts, the files that code came from, and their storage now and at any
 * time. Times are ns, ids are encoded entity ids. What contracts have in common with accounts is in `entities`.
 */
export const contractsSchema = defineSchema({
  name: 'contracts',
  version: 2,
  collections: {
    /** What never changes of a contract once it is known. */
    contracts: {
      kind: 'state',
      fields: {
        id: 'int64',
        /** File that the init code was taken from. */
        fileId: 'int64?',
        /** Init code that came with the creation; null when it came from a file, or is unknown. */
        initcode: 'bytes?',
        runtimeBytecode: 'bytes?',
      },
      key: ['id'],
    },
    /** One row, slot 0: the newest transaction of a user that contracts may be created by, whose children follow it. */
    creators: {
      kind: 'state',
      fields: { slot: 'int32', time: 'int64', fileId: 'int64?', initcode: 'bytes?' },
      key: ['slot'],
    },
    /** What was written to files of users, in pieces. */
    filePieces: {
      kind: 'facts',
      time: 'time',
      fields: {
        file: 'int64',
        time: 'int64',
        /** 1: takes the place of all earlier pieces. */
        startsOver: 'int32',
        data: 'bytes',
      },
      key: ['file', 'time'],
      indexes: [['file', 'startsOver', 'time']],
    },
    /** What is known of each slot that was ever written or read. */
    slots: {
      kind: 'state',
      fields: {
        contract: 'int64',
        /** 32 bytes. */
        slot: 'bytes',
        /** 1 when it has a value, of which the two fields below tell. */
        present: 'int32',
        /** Empty for zero. */
        value: 'bytes?',
        modified: 'int64?',
        /** What it held before the first change or read that the log has; empty for zero, null where the log has none. */
        initial: 'bytes?',
        /** First and newest change or read. */
        first: 'int64',
        changed: 'int64',
      },
      key: ['contract', 'slot'],
      indexes: [['contract', 'present', 'slot']],
    },
    /** Every write and read of a slot. */
    slotChanges: {
      kind: 'facts',
      time: 'time',
      fields: {
        contract: 'int64',
        slot: 'bytes',
        time: 'int64',
        /** What it held from then on: the value written, or the one read where nothing was. */
        value: 'bytes',
        /** 1 when this is where the present value comes from: it was written, or moved to where it is now. */
        sets: 'int32',
      },
      key: ['contract', 'slot', 'time'],
    },
  },
})

export type SlotRow = RowOf<typeof contractsSchema, 'slots'>

/** What a transaction did to a slot. */
export interface SlotChange {
  readonly contract: bigint
  /** 32 bytes. */
  readonly slot: Uint8Array
  readonly valueRead: Uint8Array
  /** null when it was only read; empty for zero. */
  readonly valueWritten: Uint8Array | null
  /** Made by a migration of the ledger's state: what was read is what is there now. */
  readonly migration: boolean
}

/** The last of the files that belong to the network: no code is taken from these. */
const lastSystemFile = 1_000n

export function isUserFile(file: bigint): boolean {
  return entityIdParts(file).number > lastSystemFile
}
