import { topicCustomFees } from '#projections/custom-fees/projection.ts'
import { messageOfSnapshot, submittedMessage } from '#projections/topics/messages.ts'
import { topicsSchema } from '#projections/topics/schema.ts'
import {
  createdTopic,
  createTopic,
  stateTopic,
  type TopicChange,
  updatedTopic,
  updateTopic,
} from '#projections/topics/topics.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { hasSucceeded } from '#src/events/success.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'validStartTimestamp',
  'payerAccountId',
  'entityId',
  'record',
  'consensusSubmitMessage',
  'consensusCreateTopic',
  'consensusUpdateTopic',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

/** What a transaction says of the topic that it is about; undefined for nearly all. */
function changeOf(facts: Facts): TopicChange | undefined {
  const { type, consensusCreateTopic: created, consensusUpdateTopic: updated } = facts
  if (type !== transactionType.topicCreate && type !== transactionType.topicUpdate) return undefined
  if (!hasSucceeded(facts)) return undefined
  if (created) return createdTopic(created)
  return updated ? updatedTopic(updated) : undefined
}

/** Topics with their fees, and all messages, as they came and as stated. */
export const topicsProjection = defineProjection(topicsSchema)
  .embed(topicCustomFees)
  .on('TransactionRecorded', {
    reads,
    apply: (facts, rows) => {
      const { type, entityId: id, consensusTimestamp: time } = facts
      if (type === transactionType.topicMessage) {
        const message = hasSucceeded(facts) ? submittedMessage(facts) : undefined
        if (message) rows.put('messages', message)
        return
      }
      const change = changeOf(facts)
      if (id === null || change === undefined) return
      if (type === transactionType.topicCreate) createTopic(rows, id, change, time)
      else updateTopic(rows, id, change, time)
    },
  })
  .on('TopicSnapshotted', {
    reads: [
      'topicId',
      'asOf',
      'validTo',
      'createdTimestamp',
      'adminKey',
      'submitKey',
      'feeScheduleKey',
      'feeExemptKeys',
    ],
    apply: (stated, rows) => stateTopic(rows, stated),
  })
  .on('TopicMessageSnapshotted', {
    reads: [
      'topicId',
      'sequenceNumber',
      'asOf',
      'message',
      'payerAccountId',
      'runningHash',
      'runningHashVersion',
      'chunkNumber',
      'chunkTotal',
      'initialTransactionId',
    ],
    apply: (stated, rows) => rows.put('messages', messageOfSnapshot(stated)),
  })
