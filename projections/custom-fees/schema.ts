import type { ProjectionSchema, RowOf } from '#src/ports/read-store.ts'

/** Fees in force from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const fields = {
  /** Entity id of the token or topic. */
  id: 'int64',
  from: 'int64',
  /** null while they are in force. */
  until: 'int64?',
  /** All fees, packed (fees-packing.ts). */
  fees: 'text',
} as const

/** What the custom-fees module keeps. A read model that embeds it spreads these among its own collections. */
export const customFeeCollections = {
  /** The newest version of the fees of each token or topic, one without any included. */
  customFees: { fields, key: ['id'], versions: 'customFeeVersions' },
  /** The versions before it. */
  customFeeVersions: { fields, key: ['id', 'from'], appendOnly: true },
} as const

/** The shape of a read model that embeds the module, as far as the module's readers know it. */
export interface CustomFeeSchema extends ProjectionSchema {
  readonly collections: typeof customFeeCollections
}

export type CustomFeeRow = RowOf<CustomFeeSchema, 'customFees'>

export const customFeeFields = Object.keys(fields) as (keyof typeof fields)[]
