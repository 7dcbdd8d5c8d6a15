import type { ProjectionSchema } from '#src/ports/read-store.ts'

/** What the protocol module keeps. A read model that embeds it spreads this among its own collections. */
export const protocolCollections = {
  /** Version of the ledger's API in the last block (see apiVersion), by which fields count or not; its key is 0. */
  protocol: { fields: { key: 'int32', apiVersion: 'int32' }, key: ['key'] },
} as const

/** The shape of a read model that embeds the module, as far as the module knows it. */
export interface ProtocolSchema extends ProjectionSchema {
  readonly collections: typeof protocolCollections
}
