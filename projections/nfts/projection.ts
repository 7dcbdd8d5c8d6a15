import { entityIds } from '#projections/entity-ids/projection.ts'
import { nftChanges, nftFacts } from '#projections/nfts/changes.ts'
import { handOver } from '#projections/nfts/lots.ts'
import { changeNft, stateNft } from '#projections/nfts/nft-rows.ts'
import { nftsSchema } from '#projections/nfts/schema.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** Who owns each NFT, who may transfer it, and when it changed: from bodies and movements, and as stated. */
export const nftsProjection = defineProjection(nftsSchema)
  .embed(entityIds)
  .on('TransactionRecorded', {
    reads: nftFacts,
    apply: (facts, rows) => {
      const changes = nftChanges(facts, (name) => rows.get('entityNames', name))
      if (changes === undefined) return
      const { consensusTimestamp: time } = facts
      const { deletedToken: token, allowances = [], nfts = [], handOver: moved, dissociated = [] } = changes
      if (token !== undefined)
        rows.put('tokens', { token, deleted: time, moved: rows.get('tokens', token)?.moved ?? 0 })
      for (const { approved, ...parties } of allowances)
        rows.put('allowances', { ...parties, from: time, until: null, approved: approved ? 1 : 0 })
      for (const nft of nfts) changeNft(rows, nft, time)
      if (moved) handOver(rows, moved, time)
      for (const { account: sender, token: gone } of dissociated)
        if (rows.get('tokens', gone)?.deleted != null) handOver(rows, { token: gone, sender, receiver: null }, time)
    },
  })
  .on('NftSnapshotted', {
    reads: [
      'tokenId',
      'serialNumber',
      'asOf',
      'validTo',
      'accountId',
      'createdTimestamp',
      'deleted',
      'metadata',
      'spender',
      'delegatingSpender',
    ],
    apply: (stated, rows) => {
      const { tokenId: token, serialNumber: serial, asOf: from, validTo: until, createdTimestamp: created } = stated
      const { metadata, spender, delegatingSpender } = stated
      const nft = { token, serial, from, until, created, deleted: stated.deleted ? 1 : 0, metadata }
      // What has ended belongs to nobody any more.
      stateNft(rows, { ...nft, spender, delegatingSpender }, until === null ? stated.accountId : null)
    },
  })
  .on('NftAllowanceSnapshotted', {
    reads: ['ownerId', 'spenderId', 'tokenId', 'asOf', 'validTo', 'approvedForAll'],
    apply: ({ ownerId: owner, spenderId: spender, tokenId: token, asOf: from, validTo: until, approvedForAll }, rows) =>
      rows.put('allowances', { owner, spender, token, from, until, approved: approvedForAll ? 1 : 0 }),
  })
  .on('EntitySnapshotted', {
    reads: ['entityId', 'type', 'asOf', 'deleted'],
    apply: ({ entityId: token, type, asOf, deleted }, rows) => {
      const before = type === 'TOKEN' ? rows.get('tokens', token) : undefined
      if (before === undefined && !(type === 'TOKEN' && deleted)) return
      rows.put('tokens', { token, deleted: deleted ? asOf : null, moved: before?.moved ?? 0 })
    },
  })
