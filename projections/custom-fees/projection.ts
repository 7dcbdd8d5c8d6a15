import { type CustomFees, packFees } from '#projections/custom-fees/packing.ts'
import { type CustomFeeSchema, customFeesSchema } from '#projections/custom-fees/schema.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { feesOfToken, feesOfTopic } from '#src/events/fees-of-bodies.ts'
import { hasSucceeded } from '#src/events/success.ts'
import { defineProjection, type Handler } from '#src/runtime/fold/projection.ts'

const common = ['type', 'successful', 'result', 'consensusTimestamp', 'entityId'] as const
const ofTokens = ['tokenCreation', 'tokenFeeScheduleUpdate'] as const
const ofTopics = ['consensusCreateTopic', 'consensusUpdateTopic'] as const

type CommonFacts = Pick<TransactionRecorded, (typeof common)[number]>
type TokenFacts = CommonFacts & Pick<TransactionRecorded, (typeof ofTokens)[number]>
type TopicFacts = CommonFacts & Pick<TransactionRecorded, (typeof ofTopics)[number]>

/** The fees from a transaction on; undefined for nearly all, which say nothing of any. */
type FeesOf<T extends CommonFacts> = (facts: T, id: bigint) => CustomFees | undefined

const tokenFeesOf: FeesOf<TokenFacts> = ({ type, tokenCreation, tokenFeeScheduleUpdate }, id) => {
  if (type === transactionType.tokenCreate) return tokenCreation ? feesOfToken(tokenCreation.customFees, id) : undefined
  if (type !== transactionType.tokenFeeScheduleUpdate || tokenFeeScheduleUpdate === null) return undefined
  return feesOfToken(tokenFeeScheduleUpdate.customFees, id)
}

const topicFeesOf: FeesOf<TopicFacts> = ({ type, consensusCreateTopic, consensusUpdateTopic }) => {
  if (type === transactionType.topicCreate)
    return consensusCreateTopic ? feesOfTopic(consensusCreateTopic.customFees) : undefined
  const updated = type === transactionType.topicUpdate ? consensusUpdateTopic?.customFees : undefined
  return updated ? feesOfTopic(updated.fees) : undefined
}

/** Each change replaces all fees; a creation without any is one as well. */
function replacing<F extends keyof TransactionRecorded & string>(
  reads: readonly F[],
  feesOf: FeesOf<CommonFacts & Pick<TransactionRecorded, F>>,
): Handler<CustomFeeSchema, 'TransactionRecorded', F | (typeof common)[number]> {
  return {
    reads: [...common, ...reads],
    apply: (facts, rows) => {
      const { entityId: id, consensusTimestamp: from } = facts
      const fees = id === null ? undefined : feesOf(facts, id)
      if (id === null || fees === undefined || !hasSucceeded(facts)) return
      rows.put('customFees', { id, from, until: null, fees: packFees(fees) })
    },
  }
}

const stated = defineProjection(customFeesSchema).on('CustomFeesSnapshotted', {
  reads: ['entityId', 'asOf', 'validTo', 'fixedFees', 'fractionalFees', 'royaltyFees'],
  apply: ({ entityId: id, asOf: from, validTo: until, ...fees }, rows) =>
    rows.put('customFees', { id, from, until, fees: packFees(fees) }),
})

/** Custom fees of tokens, and whatever is stated of any. */
export const tokenCustomFees = stated.on('TransactionRecorded', replacing(ofTokens, tokenFeesOf))

/** Custom fees of topics, and whatever is stated of any. */
export const topicCustomFees = stated.on('TransactionRecorded', replacing(ofTopics, topicFeesOf))
