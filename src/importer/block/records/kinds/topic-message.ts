import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { readId } from '#src/importer/block/records/ids.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { claimTopicState, type TopicState } from '#src/importer/block/records/state/topic-messages.ts'

const topicField = 1
const messageTrace = 2

/** The state tells of the last message of a topic, traces of those before it in the same family. */
export const topicMessage: KindOfRecord = ({ transaction, context, draft, fail, warn }) => {
  const topic = readId(fieldValue(transaction.body.content, topicField, fail), fail)
  // Once for the last message, also where a trace tells of that: no other message left this behind.
  const claimed = topic && claimTopicState(context, topic)
  const state = traced(transaction.traces, fail) ?? claimed
  if (!state) return warn('sequence number and running hash of the message')
  draft.topicSequenceNumber = state.sequenceNumber
  draft.topicRunningHash = state.runningHash
}

function traced(traces: readonly Buffer[], fail: Fail): TopicState | undefined {
  for (const trace of traces) {
    const message = fieldValue(trace, messageTrace, fail)
    if (message) return readTrace(message, fail)
  }
  return undefined
}

function readTrace(message: Buffer, fail: Fail): TopicState {
  const fields = new FieldReader(message, fail)
  let sequenceNumber = 0n
  let runningHash = message.subarray(0, 0)
  while (fields.next()) {
    if (fields.field === 1) sequenceNumber = fields.int64()
    else if (fields.field === 2) runningHash = fields.bytes()
  }
  return { sequenceNumber, runningHash }
}
