import type {
  ConsensusCreateTopicTransactionBody,
  ConsensusSubmitMessageTransactionBody,
  ConsensusUpdateTopicTransactionBody,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { alice } from '#test/support/events.ts'
import type { Sketch } from '#test/support/whole-event.ts'

export const topic = 3_001n

export const topicCreated = (time: bigint, body: Sketch<ConsensusCreateTopicTransactionBody> = {}, id = topic) =>
  transaction(time, 24, id, { consensusCreateTopic: body })

export const topicUpdated = (
  time: bigint,
  body: Sketch<ConsensusUpdateTopicTransactionBody>,
  facts: Sketch<TransactionRecorded> = {},
) => transaction(time, 25, topic, { consensusUpdateTopic: body, ...facts })

export const ed25519 = (byte: number) => ({ ed25519: Buffer.alloc(32, byte) })

interface MessageSketch {
  readonly id?: bigint
  readonly body?: Sketch<ConsensusSubmitMessageTransactionBody>
  readonly facts?: Sketch<TransactionRecorded>
  readonly version?: bigint
}

/** A message of Alice whose running hash is its number; told by number unless a body is given. */
export function messageSent(
  time: bigint,
  number: bigint,
  { id = topic, body = { message: Buffer.from(`number ${number}`) }, facts = {}, version = 3n }: MessageSketch = {},
): LogRecord {
  const receipt = {
    topicSequenceNumber: number,
    topicRunningHash: Buffer.alloc(48, Number(number)),
    topicRunningHashVersion: version,
  }
  const sent = { payerAccountId: alice, validStartTimestamp: time - 1n, record: { receipt } }
  return transaction(time, 27, id, { ...sent, consensusSubmitMessage: body, ...facts })
}
