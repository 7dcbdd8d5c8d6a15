import { type Effects, effect, keyChange } from '#projections/entities/changes/effect.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

/** What transactions about schedules change, but for what is scheduled and when it ran. */
export const scheduleEffects: Effects = [
  effect(transactionType.scheduleCreate, 'create', 'scheduleCreate', (body) => ({
    type: 'SCHEDULE',
    ...keyChange(body.adminKey),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.scheduleDelete, 'delete', 'scheduleDelete', () => ({ type: 'SCHEDULE' })),
]
