import { type Effects, effect, numberIfSet, resolvedIfSet, secondsOf } from '#projections/entities/changes/effect.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'

/** What transactions about topics change, but for keys and fees, which are the topic's own. */
export const topicEffects: Effects = [
  effect(transactionType.topicCreate, 'create', 'consensusCreateTopic', (body) => ({
    type: 'TOPIC',
    autoRenewAccountId: numberIfSet(body.autoRenewAccount),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.topicUpdate, 'update', 'consensusUpdateTopic', (body, context) => ({
    type: 'TOPIC',
    autoRenewAccountId: resolvedIfSet(body.autoRenewAccount, context),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    memo: body.memo === null ? undefined : withoutNul(body.memo),
  })),
  effect(transactionType.topicDelete, 'delete', 'consensusDeleteTopic', () => ({ type: 'TOPIC' })),
]
