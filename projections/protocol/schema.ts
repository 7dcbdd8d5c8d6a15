/** What the protocol module keeps. A read model that embeds it spreads this among its own collections. */
export const protocolCollections = {
  /** Version of the ledger's API in the last block (see apiVersion), by which fields count or not; its key is 0. */
  protocol: { kind: 'state', fields: { key: 'int32', apiVersion: 'int32' }, key: ['key'] },
} as const
