import type { AllowanceRow } from '#projections/allowances/schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON text of an allowance: what is left and what was granted, since when. */
export function renderHbarAllowance(row: AllowanceRow): string {
  return `{${commonFields(row)}}`
}

export function renderTokenAllowance(row: AllowanceRow): string {
  return `{${commonFields(row)},"token_id":"${formatEntityId(row.token)}"}`
}

function commonFields({ amount, granted, grantedAt, owner, spender }: AllowanceRow): string {
  return (
    `"amount":${amount},"amount_granted":${granted},` +
    `"owner":"${formatEntityId(owner)}","spender":"${formatEntityId(spender)}",` +
    `"timestamp":{"from":"${formatLedgerTime(grantedAt)}","to":null}`
  )
}
