import { changeAllowance, putAllowance } from '#projections/allowances/allowance-rows.ts'
import { allowanceChanges, allowanceFacts } from '#projections/allowances/changes.ts'
import { allowancesSchema } from '#projections/allowances/schema.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

/** What spenders may take from whom: granted by bodies, lessened by approved transfers, and as stated. */
export const allowancesProjection = defineProjection(allowancesSchema)
  .embed(entityIds)
  .on('TransactionRecorded', {
    reads: allowanceFacts,
    apply: (facts, rows) => {
      const changes = allowanceChanges(facts, (name) => rows.get('entityNames', name))
      for (const change of changes) changeAllowance(rows, change, facts.consensusTimestamp)
    },
  })
  .on('AllowanceSnapshotted', {
    reads: ['ownerId', 'spenderId', 'tokenId', 'asOf', 'validTo', 'amountGranted', 'amount'],
    apply: (stated, rows) => {
      const { ownerId: owner, spenderId: spender, tokenId, asOf: from, validTo: until, amount } = stated
      const token = tokenId ?? 0n
      const granted = stated.amountGranted
      putAllowance(rows, { owner, spender, token, from, until, granted, grantedAt: from, amount })
    },
  })
