import { defineObject } from '#queries/common/define-object.ts'
import { int64, key, text } from '#queries/common/object-schema.ts'
import { topicFees } from '#queries/custom-fees/render-fees.ts'
import type { FoundTopic } from '#queries/topics/find-topic.ts'
import { entityText, flagText, idText, sinceText, timeText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const timestampOrNull = { ...timestamp, nullable: true }
const id = { ...text, description: 'Entity id' }

/** Every change of it is one of its entity, too, so that the entity's version tells since when it is so. */
export const topicObject = defineObject<FoundTopic>(
  {
    admin_key: [key, ({ topic }) => renderKey(topic.adminKey)],
    auto_renew_account: [{ ...id, nullable: true }, ({ entity }) => idText(entity.autoRenewAccountId)],
    auto_renew_period: [{ ...int64, nullable: true, description: 'Seconds' }, ({ entity }) => entity.autoRenewPeriod],
    created_timestamp: [timestampOrNull, ({ topic }) => timeText(topic.created)],
    custom_fees: [topicFees.schema, ({ fees }) => topicFees.render(fees)],
    deleted: [{ type: 'boolean', nullable: true }, ({ entity }) => flagText(entity.deleted)],
    fee_exempt_key_list: [
      { type: 'array', items: { ...key, nullable: false } },
      ({ topic }) => `[${topic.feeExemptKeys}]`,
    ],
    fee_schedule_key: [key, ({ topic }) => renderKey(topic.feeScheduleKey)],
    memo: [text, ({ entity }) => JSON.stringify(entity.memo)],
    submit_key: [key, ({ topic }) => renderKey(topic.submitKey)],
    timestamp: [
      { type: 'object', properties: { from: timestamp, to: timestampOrNull } },
      ({ entity }) => sinceText(entity.from),
    ],
    topic_id: [id, ({ topic }) => entityText(topic.id)],
  },
  { title: 'Topic' },
)
