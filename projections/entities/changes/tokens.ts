import { type Effects, effect, keyChange, resolvedIfSet, secondsOf } from '#projections/entities/changes/effect.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'

/** What transactions about tokens change of what tokens have in common with other entities. */
export const tokenEffects: Effects = [
  effect(transactionType.tokenCreate, 'create', 'tokenCreation', (body, context) => ({
    type: 'TOKEN',
    ...keyChange(body.adminKey),
    autoRenewAccountId: context.account(body.autoRenewAccount) ?? undefined,
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expiry === null ? undefined : timeOf(body.expiry),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.tokenUpdate, 'update', 'tokenUpdate', (body, context) => ({
    type: 'TOKEN',
    ...keyChange(body.adminKey),
    autoRenewAccountId: resolvedIfSet(body.autoRenewAccount, context),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expiry === null ? undefined : timeOf(body.expiry),
    memo: body.memo === null ? undefined : withoutNul(body.memo),
  })),
  effect(transactionType.tokenDelete, 'delete', 'tokenDeletion', () => ({ type: 'TOKEN' })),
]
