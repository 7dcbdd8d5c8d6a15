import type { AllowanceChange } from '#projections/allowances/changes.ts'
import { type AllowanceRow, allowanceList, type allowancesSchema } from '#projections/allowances/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof allowancesSchema>

export function changeAllowance(rows: Rows, change: AllowanceChange, time: bigint): void {
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
export function putAllowance(rows: Rows, allowance: Omit<AllowanceRow, 'list'>): void {
  rows.put('allowances', { ...allowance, list: listOf(allowance) })
}

function listOf({ token, amount }: Pick<AllowanceRow, 'token' | 'amount'>): number {
  if (amount <= 0n) return allowanceList.none
  return token === 0n ? allowanceList.hbar : allowanceList.tokens
}
