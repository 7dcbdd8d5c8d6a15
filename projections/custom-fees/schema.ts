import type { ProjectionSchema, RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** Fees in force from `from` (inclusive) until `until` (exclusive). Times are consensus times in ns. */
const fields = {
  /** Entity id of the token or topic. */
  id: 'int64',
  from: 'int64',
  /** null while they are in force. */
  until: 'int64?',
  /** All fees, packed (packing.ts). */
  fees: 'text',
} as const

/** What the custom-fees module keeps. A read model that embeds it spreads these among its own collections. */
export const customFeeCollections = {
  /** The newest version of the fees of each token or topic, one without any included. */
  customFees: { kind: 'versioned', fields, key: ['id'] },
} as const

/** The module by itself. */
export const customFeesSchema = defineSchema({ name: 'custom-fees', version: 1, collections: customFeeCollections })

/** The shape of a read model that embeds the module, as far as the module's readers know it. */
export interface CustomFeeSchema extends ProjectionSchema {
  readonly collections: (typeof customFeesSchema)['collections']
}

export type CustomFeeRow = RowOf<CustomFeeSchema, 'customFees'>

export const customFeeFields = Object.keys(fields) as (keyof typeof fields)[]
