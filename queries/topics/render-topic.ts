import { renderTopicFees } from '#queries/custom-fees/render-fees.ts'
import type { FoundTopic } from '#queries/topics/find-topic.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** JSON text of a topic. Every change of it is one of its entity, too, so that the entity's version tells since when it is so. */
export function renderTopic({ topic, entity, fees }: FoundTopic): string {
  const { autoRenewAccountId: account, autoRenewPeriod, deleted, from, memo } = entity
  const { created } = topic
  return (
    `{"admin_key":${renderKey(topic.adminKey)},"auto_renew_account":${account ? `"${formatEntityId(account)}"` : null},` +
    `"auto_renew_period":${autoRenewPeriod},"created_timestamp":${created === null ? null : `"${formatLedgerTime(created)}"`},` +
    `"custom_fees":${renderTopicFees(fees)},"deleted":${deleted === null ? null : deleted === 1},` +
    `"fee_exempt_key_list":[${topic.feeExemptKeys}],"fee_schedule_key":${renderKey(topic.feeScheduleKey)},` +
    `"memo":${JSON.stringify(memo)},"submit_key":${renderKey(topic.submitKey)},` +
    `"timestamp":{"from":"${formatLedgerTime(from)}","to":null},"topic_id":"${formatEntityId(topic.id)}"}`
  )
}
