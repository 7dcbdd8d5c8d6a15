import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** The lists of an owner's allowances; what is used up or revoked is in none. */
export const allowanceList = { none: 0, hbar: 1, tokens: 2 } as const

/** What a spender may take from an owner, as it was from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const allowanceFields = {
  /** Entity ids. */
  owner: 'int64',
  spender: 'int64',
  /** Entity id; 0 for hbar. */
  token: 'int64',
  /** When it was granted, or spent of last. */
  from: 'int64',
  /** null while it is so. */
  until: 'int64?',
  granted: 'int64',
  grantedAt: 'int64',
  /** What is left of it; below 0 where more was spent than was known to be granted. */
  amount: 'int64',
  /** Number of the list that it is in. */
  list: 'int32',
} as const

/** Version 2 of the allowances read model: allowances of hbar and fungible tokens with what is left of them. */
export const allowancesSchema = defineSchema({
  name: 'allowances',
  version: 2,
  collections: {
    ...entityIdCollections,
    /** Each allowance as it is now. */
    allowances: {
      kind: 'versioned',
      fields: allowanceFields,
      key: ['owner', 'spender', 'token'],
      indexes: [
        ['owner', 'list', 'spender', 'token'],
        // For one token of many spenders.
        ['owner', 'list', 'token', 'spender'],
        // Tells a reader whether any of them changed while it read.
        ['owner', 'from'],
      ],
    },
  },
})

export type AllowanceRow = RowOf<typeof allowancesSchema, 'allowances'>
