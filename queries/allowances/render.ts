import type { AllowanceRow } from '#projections/allowances/schema.ts'
import { defineObject, membersOf } from '#queries/common/define-object.ts'
import { int64, sinceSchema, text } from '#queries/common/object-schema.ts'
import { entityText, sinceText } from '#src/domain/json-text.ts'

const members = membersOf<AllowanceRow>({
  amount: [{ ...int64, description: 'What is left of it' }, ({ amount }) => amount],
  amount_granted: [int64, ({ granted }) => granted],
  owner: [text, ({ owner }) => entityText(owner)],
  spender: [text, ({ spender }) => entityText(spender)],
  timestamp: [sinceSchema('When it was granted'), ({ grantedAt }) => sinceText(grantedAt)],
})

export const hbarAllowance = defineObject(members, { title: 'HbarAllowance' })
export const tokenAllowance = defineObject<AllowanceRow>(
  { ...members, token_id: [text, ({ token }) => entityText(token)] },
  { title: 'TokenAllowance' },
)
