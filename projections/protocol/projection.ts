import { protocolCollections } from '#projections/protocol/schema.ts'
import { apiVersion, protocolKey } from '#projections/protocol/version.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** Which version of the ledger's API the transactions of a block follow: that of the block before. */
export const protocol = defineProjection({ name: 'protocol', version: 1, collections: protocolCollections }).on(
  'BlockRecorded',
  {
    reads: ['hapiVersionMajor', 'hapiVersionMinor', 'hapiVersionPatch'],
    apply: ({ hapiVersionMajor: major, hapiVersionMinor: minor, hapiVersionPatch: patch }, rows) => {
      const version = apiVersion(major ?? 0, minor ?? 0, patch ?? 0)
      const known = rows.get('protocol', protocolKey)?.apiVersion
      if (version !== known) rows.put('protocol', { key: protocolKey, apiVersion: version })
    },
  },
)
