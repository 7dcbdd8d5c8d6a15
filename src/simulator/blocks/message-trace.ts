import type { Message } from '#src/simulator/codec.ts'
import type { Emitted } from '#src/simulator/emitted.ts'

/**
 * The SubmitMessageTraceData of a message that another one to the same topic follows in its family: the change of state has
 * only the number and the running hash of the last.
 */
export function messageTrace({ record, submission }: Emitted, later: readonly Emitted[]): Message | undefined {
  const topic = topicOf(submission)
  const { topicSequenceNumber, topicRunningHash } = record['receipt'] as Message
  if (topic === undefined || topicSequenceNumber === undefined) return undefined
  if (!later.some((each) => topicOf(each.submission) === topic && isCounted(each))) return undefined
  return { sequenceNumber: topicSequenceNumber, runningHash: topicRunningHash }
}

function topicOf({ body }: Emitted['submission']): unknown {
  const { topicID } = (body['consensusSubmitMessage'] ?? {}) as Message
  return (topicID as Message | undefined)?.['topicNum']
}

function isCounted({ record }: Emitted): boolean {
  return (record['receipt'] as Message)['topicSequenceNumber'] !== undefined
}
