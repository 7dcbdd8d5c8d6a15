import type { TopicRow, topicsSchema } from '#projections/topics/schema.ts'
import type {
  ConsensusCreateTopicTransactionBody,
  ConsensusUpdateTopicTransactionBody,
  Key,
  TopicSnapshotted,
} from '#schemas/events/types.ts'
import { renderKey } from '#src/domain/public-key.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof topicsSchema>

/** What a transaction says of a topic's own fields. */
export type TopicChange = Partial<Pick<TopicRow, 'adminKey' | 'submitKey' | 'feeScheduleKey' | 'feeExemptKeys'>>

export function createdTopic(body: ConsensusCreateTopicTransactionBody): TopicChange {
  return { ...keysOf(body), feeExemptKeys: renderKeys(body.feeExemptKeyList) }
}

/** What an update leaves out stays as it is; undefined when it leaves out everything. An empty key list takes a key away. */
export function updatedTopic(body: ConsensusUpdateTopicTransactionBody): TopicChange | undefined {
  const { feeExemptKeyList } = body
  const change = { ...keysOf(body), ...(feeExemptKeyList && { feeExemptKeys: renderKeys(feeExemptKeyList.keys) }) }
  return Object.keys(change).length === 0 ? undefined : change
}

type WithKeys = Pick<ConsensusUpdateTopicTransactionBody, 'adminKey' | 'submitKey' | 'feeScheduleKey'>

function keysOf({ adminKey, submitKey, feeScheduleKey }: WithKeys): TopicChange {
  return {
    ...(adminKey && { adminKey: keyBytes(adminKey) }),
    ...(submitKey && { submitKey: keyBytes(submitKey) }),
    ...(feeScheduleKey && { feeScheduleKey: keyBytes(feeScheduleKey) }),
  }
}

function renderKeys(keys: readonly Key[]): string {
  return keys.map((key) => renderKey(keyBytes(key))).join(',')
}

const nothingSaid = { created: null, adminKey: null, submitKey: null, feeScheduleKey: null, feeExemptKeys: '' }

export function createTopic(rows: Rows, id: bigint, change: TopicChange, time: bigint): void {
  rows.put('topics', { id, ...nothingSaid, ...change, from: time, until: null, created: time })
}

/** A topic that nobody knows is kept as far as it is told. */
export function updateTopic(rows: Rows, id: bigint, change: TopicChange, time: bigint): void {
  const before = rows.get('topics', id) ?? { id, ...nothingSaid }
  rows.put('topics', { ...before, ...change, from: time, until: null })
}

export function stateTopic(rows: Rows, stated: TopicSnapshotted): void {
  const { topicId: id, asOf: from, validTo: until, createdTimestamp: created } = stated
  const { adminKey, submitKey, feeScheduleKey } = stated
  const feeExemptKeys = stated.feeExemptKeys.map(renderKey).join(',')
  rows.put('topics', { id, from, until, created, adminKey, submitKey, feeScheduleKey, feeExemptKeys })
}
