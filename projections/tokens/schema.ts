import { customFeeCollections } from '#projections/custom-fees/schema.ts'
import { protocolCollections } from '#projections/protocol/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/**
 * What only tokens have, in force from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns, ids are
 * encoded entity ids, keys are serialized, amounts in the smallest unit.
 */
const tokenFields = {
  id: 'int64',
  from: 'int64',
  /** null while it is in force. */
  until: 'int64?',
  /** null when unknown. */
  created: 'int64?',
  /** 1: its creation is in the log, so that its relations are those that transactions told of. */
  whole: 'int32',
  /** Number of enum TokenType. */
  type: 'int32',
  name: 'text',
  symbol: 'text',
  decimals: 'int64',
  initialSupply: 'int64',
  maxSupply: 'int64',
  /** Number of enum TokenSupplyType. */
  supplyType: 'int32',
  treasury: 'int64?',
  freezeDefault: 'int32',
  /** What relations without a status of their own have: TokenFreezeStatus and TokenKycStatus. */
  freezeStatus: 'int32',
  kycStatus: 'int32',
  /** Number of enum TokenPauseStatus. */
  pauseStatus: 'int32',
  feeScheduleKey: 'bytes?',
  freezeKey: 'bytes?',
  kycKey: 'bytes?',
  metadataKey: 'bytes?',
  pauseKey: 'bytes?',
  supplyKey: 'bytes?',
  wipeKey: 'bytes?',
  metadata: 'bytes?',
} as const

const shownTokenFields = {
  ...tokenFields,
  /** What a list shows, as render.ts writes it. */
  listed: 'text',
} as const

/** An account's relation to a token, but for how much it holds, which `balances` knows. */
const relationFields = {
  token: 'int64',
  account: 'int64',
  from: 'int64',
  until: 'int64?',
  associated: 'int32',
  /** 1: associated by a transfer. */
  automatic: 'int32',
  /** When it was associated; null when unknown. */
  created: 'int64?',
  /** null: what the token gives. */
  freezeStatus: 'int32?',
  kycStatus: 'int32?',
} as const

/** Version 3 of the tokens read model: tokens, their supply, custom fees and relations to accounts, now and as they were. */
export const tokensSchema = defineSchema({
  name: 'tokens',
  version: 3,
  collections: {
    ...customFeeCollections,
    ...protocolCollections,
    /** The newest version of each token. */
    tokens: { kind: 'versioned', fields: shownTokenFields, key: ['id'], indexes: [['type', 'id']] },
    /** Which names contain a sequence of three bytes, those that a token no longer has included. */
    nameGrams: {
      kind: 'facts',
      untimed: 'they lead to tokens, whose names are looked at as they were',
      fields: { gram: 'int32', token: 'int64' },
      key: ['gram', 'token'],
    },
    /** How much of each token there is, and since when. */
    supplies: { kind: 'state', fields: { token: 'int64', since: 'int64', supply: 'int64' }, key: ['token'] },
    /** The same, for every time it changed. */
    supplyChanges: {
      kind: 'facts',
      time: 'time',
      fields: { token: 'int64', time: 'int64', supply: 'int64' },
      key: ['token', 'time'],
    },
    /** The newest version of each relation. */
    relations: { kind: 'versioned', fields: relationFields, key: ['token', 'account'] },
  },
})

export type TokensSchema = typeof tokensSchema
export type ShownTokenRow = RowOf<TokensSchema, 'tokens'>
/** What is known of a token. */
export type TokenRow = Omit<ShownTokenRow, 'listed'>
export type RelationRow = RowOf<TokensSchema, 'relations'>

/** Every field of what is known of a token. */
export const tokenRowFields = Object.keys(tokenFields) as (keyof typeof tokenFields)[]

/** Numbers of enum TokenType. */
export const TokenType = { fungible: 0, nft: 1 } as const
