import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import { type Allowance, forget, remember } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const allowancesMost = 200

/** Grants an allowance anew, whatever was left of it; an amount of 0 revokes it. */
export function grant({ state }: World, granted: Allowance): LedgerChange {
  const known = state.allowances.find((each) => keyOf(each) === keyOf(granted))
  if (known) forget(state.allowances, known)
  if (granted.left > 0) remember(state.allowances, granted, allowancesMost)
  const amount = BigInt(granted.left)
  return { table: 'allowances', key: keyOf(granted), set: { granted: amount, left: amount }, fresh: true }
}

export function spend({ state }: World, allowance: Allowance, amount: number): LedgerChange {
  allowance.left -= amount
  if (allowance.left === 0) forget(state.allowances, allowance)
  return { table: 'allowances', key: keyOf(allowance), set: { left: BigInt(allowance.left) } }
}

function keyOf({ owner, spender, token }: Allowance): string {
  return `${owner}/${spender}/${token}`
}
