import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** An NFT, in force from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns, ids encoded entity ids. */
const nftFields = {
  token: 'int64',
  serial: 'int64',
  from: 'int64',
  /** null while it is in force. */
  until: 'int64?',
  /** Who got it last by itself; null when nobody has it. Whoever has its lot since then is its owner. */
  receiver: 'int64?',
  /** Number of the receiver's lot. */
  lot: 'int32',
  /** null when unknown. */
  created: 'int64?',
  deleted: 'int32',
  /** null when unknown. */
  metadata: 'bytes?',
  /** As its lot is handed over later, there is none any more. */
  spender: 'int64?',
  delegatingSpender: 'int64?',
} as const

/** An approval for all serials, in force from `from` (inclusive) until `until` (exclusive). */
const allowanceFields = {
  owner: 'int64',
  spender: 'int64',
  token: 'int64',
  from: 'int64',
  /** null while it is in force. */
  until: 'int64?',
  /** 0 once taken back. */
  approved: 'int32',
} as const

/**
 * Version 3 of the NFTs read model. What an account receives of a token is its lot; a change of treasury hands over all lots
 * that the old treasury holds, and touches none of the NFTs in them. The next NFT that the old treasury receives begins a
 * new lot.
 */
export const nftsSchema = defineSchema({
  name: 'nfts',
  version: 3,
  collections: {
    ...entityIdCollections,
    /** The newest version of each NFT. Some that a statement superseded are among the earlier ones, and not older than it. */
    nfts: {
      kind: 'versioned',
      fields: nftFields,
      key: ['token', 'serial'],
      indexes: [['receiver', 'token', 'lot', 'serial']],
    },
    /** The lots of a token that an account holds. */
    holdings: {
      kind: 'state',
      fields: {
        account: 'int64',
        token: 'int64',
        /** 1: there are any. */
        listed: 'int32',
        /** Number of its own lot, which it may have handed over empty. */
        lot: 'int32',
        /** Lots with NFTs in them, packed by `packLots`. */
        lots: 'bytes',
      },
      key: ['account', 'token'],
      indexes: [
        ['account', 'listed', 'token'],
        ['token', 'listed', 'account'],
      ],
    },
    /** Who holds a lot that was handed over. */
    movedLots: {
      kind: 'state',
      fields: {
        token: 'int64',
        receiver: 'int64',
        lot: 'int32',
        /** null: its NFTs are gone. */
        holder: 'int64?',
        since: 'int64',
      },
      key: ['token', 'receiver', 'lot'],
    },
    /** Every time that a lot was handed over. */
    lotMoves: {
      kind: 'facts',
      time: 'time',
      fields: { token: 'int64', receiver: 'int64', lot: 'int32', time: 'int64', holder: 'int64?' },
      key: ['token', 'receiver', 'lot', 'time'],
      // What was handed over after a time, whoever had it then.
      indexes: [['time', 'token']],
    },
    /**
     * The NFTs that were known before and changed, by when they did, so that they are found where they were a moment ago; serial 0 stands for lots
     * that were handed over.
     */
    changes: {
      kind: 'facts',
      time: 'time',
      fields: { time: 'int64', token: 'int64', serial: 'int64' },
      key: ['time', 'token', 'serial'],
    },
    /** What concerns all NFTs of a token; no row where nothing does. */
    tokens: {
      kind: 'state',
      fields: {
        token: 'int64',
        /** When it was deleted; null while it is not. */
        deleted: 'int64?',
        /** 1: some lot was handed over. */
        moved: 'int32',
      },
      key: ['token'],
    },
    /** NFTs with a spender, by who owned them when he was approved. Where a lot was handed over since then, they are left over. */
    approvals: {
      kind: 'state',
      fields: { owner: 'int64', spender: 'int64', token: 'int64', serial: 'int64' },
      key: ['owner', 'spender', 'token', 'serial'],
      indexes: [['owner', 'token', 'serial']],
    },
    /** The newest version of each approval for all serials. */
    allowances: {
      kind: 'versioned',
      fields: allowanceFields,
      key: ['owner', 'spender', 'token'],
      indexes: [
        ['owner', 'approved', 'spender', 'token'],
        ['owner', 'approved', 'token', 'spender'],
        ['spender', 'approved', 'owner', 'token'],
        ['spender', 'approved', 'token', 'owner'],
        // What changed of one of them, so that the orders above are as they were.
        ['owner', 'from'],
        ['spender', 'from'],
      ],
    },
  },
})

/** In place of a serial number among `changes`: lots of the token were handed over. */
export const lotsMoved = 0n

export type NftRow = RowOf<typeof nftsSchema, 'nfts'>
export type HoldingRow = RowOf<typeof nftsSchema, 'holdings'>
export type AllowanceRow = RowOf<typeof nftsSchema, 'allowances'>
