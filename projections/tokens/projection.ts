import { tokenCustomFees } from '#projections/custom-fees/projection.ts'
import { protocol } from '#projections/protocol/projection.ts'
import { ownToken } from '#projections/tokens/own-token.ts'
import { relations } from '#projections/tokens/relations.ts'
import { tokensSchema } from '#projections/tokens/schema.ts'
import { tokenOfSnapshot, tokenSnapshotFields } from '#projections/tokens/snapshot-token.ts'
import { putToken, setSupply } from '#projections/tokens/token-rows.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** Tokens with their supply, custom fees and relations to accounts. Entities and balances are other read models. */
export const tokensProjection = defineProjection(tokensSchema)
  .embed(protocol)
  .embed(tokenCustomFees)
  .on('TransactionRecorded', ownToken)
  .on('TransactionRecorded', relations)
  .on('TokenSnapshotted', {
    reads: tokenSnapshotFields,
    apply: (statement, rows) => {
      const { tokenId, asOf, totalSupply } = statement
      putToken(rows, { ...tokenOfSnapshot(statement), whole: rows.get('tokens', tokenId)?.whole ?? 0 })
      setSupply(rows, tokenId, asOf, totalSupply)
    },
  })
  .on('TokenAccountSnapshotted', {
    reads: [
      'accountId',
      'tokenId',
      'asOf',
      'validTo',
      'associated',
      'automaticAssociation',
      'createdTimestamp',
      'freezeStatus',
      'kycStatus',
    ],
    apply: (stated, rows) => {
      const { tokenId: token, accountId: account, asOf: from, validTo: until, createdTimestamp: created } = stated
      const { freezeStatus, kycStatus } = stated
      const associated = stated.associated ? 1 : 0
      const automatic = stated.automaticAssociation ? 1 : 0
      const row = { token, account, from, until, associated, automatic, created, freezeStatus, kycStatus }
      rows.put('relations', row)
    },
  })
