import { type AllowanceChange, allowanceChanges, allowanceFacts } from '#projections/allowances/changes.ts'
import { type AllowanceRow, allowanceList, allowancesSchema } from '#projections/allowances/schema.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

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

type Rows = FoldedRows<typeof allowancesSchema>

function changeAllowance(rows: Rows, change: AllowanceChange, time: bigint): void {
  const { owner, spender, token, does, amount } = change
  if (does === 'grant') {
    putAllowance(rows, {
      ...{ owner, spender, token, from: time, until: null },
      ...{ granted: amount, grantedAt: time, amount },
    })
    return
  }
  const before = rows.get('allowances', owner, spender, token)
  // Of what nobody knows to be granted nothing is left to know.
  if (before?.until === null) putAllowance(rows, { ...before, from: time, amount: before.amount - amount })
}

/** Puts what is true from now on. */
function putAllowance(rows: Rows, allowance: Omit<AllowanceRow, 'list'>): void {
  rows.put('allowances', { ...allowance, list: listOf(allowance) })
}

function listOf({ token, amount }: Pick<AllowanceRow, 'token' | 'amount'>): number {
  if (amount <= 0n) return allowanceList.none
  return token === 0n ? allowanceList.hbar : allowanceList.tokens
}
