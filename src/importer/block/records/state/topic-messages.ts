import { FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/** What a message makes of its topic. */
export interface TopicState {
  readonly sequenceNumber: bigint
  readonly runningHash: Buffer
}

const topics: StateView<Map<string, TopicState>> = (context) => {
  const byTopic = new Map<string, TopicState>()
  for (const { value } of context.changesOf(stateId.topics)) {
    if (value === undefined) continue
    const fields = new FieldReader(value, context.fail)
    let id: MessageId | undefined
    let sequenceNumber = 0n
    let runningHash = Buffer.alloc(0) as Buffer
    while (fields.next()) {
      if (fields.field === 1) id = readId(fields.bytes(), context.fail)
      else if (fields.field === 2) sequenceNumber = fields.int64()
      else if (fields.field === 7) runningHash = fields.bytes()
    }
    if (id && sequenceNumber !== 0n) byTopic.set(idText(id), { sequenceNumber, runningHash })
  }
  return byTopic
}

/** The state of a topic, once: it is that behind the last message of the family. */
export function claimTopicState(context: StateContext, topic: MessageId): TopicState | undefined {
  const byTopic = context.view(topics)
  const state = byTopic.get(idText(topic))
  byTopic.delete(idText(topic))
  return state
}
