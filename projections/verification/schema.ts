import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** What a row of any of them belongs to: a contract on a chain, since the chain was forgotten last. */
const ofContract = {
  /** Decimal id. */
  chain: 'text',
  /** Position of the event that forgot the chain last, 0 before the first: rows of earlier ones are found by nobody. */
  epoch: 'int64',
  /** `shard.realm.num` */
  entity: 'text',
} as const

/** Version 1 of the verification read model: which contracts are verified, by what, and what became of requests. */
export const verificationSchema = defineSchema({
  name: 'verification',
  version: 1,
  orderedBy: 'position',
  collections: {
    chains: { kind: 'state', fields: { chain: 'text', epoch: 'int64' }, key: ['chain'] },
    contracts: {
      kind: 'state',
      fields: {
        ...ofContract,
        /** Forty lower-case hex digits. */
        address: 'text',
        /** Position of the first match, which its place in lists is by. */
        number: 'int64',
        /** perfect, partial */
        match: 'text',
        runtimeMatch: 'text?',
        creationMatch: 'text?',
        /** When the first match was stored, and this one: ISO 8601. */
        storedAt: 'text',
        verifiedAt: 'text',
        name: 'text',
        path: 'text',
        compilerVersion: 'text',
        language: 'text',
        codeHash: 'text?',
        /** All else, packed: `packing.ts`. */
        facts: 'text',
      },
      key: ['chain', 'epoch', 'entity'],
      indexes: [
        ['chain', 'epoch', 'number'],
        ['chain', 'epoch', 'match', 'number'],
      ],
    },
    /** Source files by the SHA-256 of their text. */
    files: {
      kind: 'state',
      fields: { hash: 'text', ...ofContract, path: 'text' },
      key: ['hash', 'chain', 'epoch', 'entity', 'path'],
    },
    /** Code with zeros where clones may differ: of each the contract that was verified first. */
    codes: {
      kind: 'state',
      fields: {
        ...ofContract,
        /** Bytes of the runtime code. */
        length: 'int32',
        /** SHA-256 of it with zeros in these places, packed. */
        maskedHash: 'text',
        varying: 'text',
      },
      key: ['chain', 'epoch', 'length', 'maskedHash'],
    },
    requests: {
      kind: 'state',
      fields: {
        id: 'text',
        ...ofContract,
        /** 1 until it has come to its end. */
        open: 'int32',
        startedAt: 'text',
        finishedAt: 'text?',
        compileMs: 'int32?',
        /** Why there is nothing: code, message and JSON of details; null where it matched, or is open. */
        failureCode: 'text?',
        failureMessage: 'text?',
        failureDetails: 'text?',
      },
      key: ['id'],
      indexes: [['open', 'id']],
    },
  },
})

export type VerificationSchema = typeof verificationSchema
export type VerifiedRow = RowOf<VerificationSchema, 'contracts'>
export type RequestRow = RowOf<VerificationSchema, 'requests'>
