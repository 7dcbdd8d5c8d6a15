import type { EventOf, TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { createEventReader, createLazyEventReader, decodeEvent, encodeEvent } from '#src/events/codec.ts'
import type { CopyName, EventType } from '#src/events/event-types.ts'
import { accountNumber, timeOf } from '#src/events/ids.ts'
import { hasMovedTokens, hasSucceeded } from '#src/events/success.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

/** How the events of a narrow topic are made of those of the ledger's log. A copy has the key and the time of its origin. */
export interface Subject {
  /** What any of them is made of. */
  readonly from: ReadonlySet<EventType>
  /** undefined where an event of these types is not about the subject. */
  copyOf(origin: LogRecord): LogRecord | undefined
}

/** Without what is behind them in the event: its record and its bodies are not even read. */
const readTransfers = createEventReader('TransactionRecorded', [
  'consensusTimestamp',
  'validStartTimestamp',
  'payerAccountId',
  'nonce',
  'scheduled',
  'blockNumber',
  'transactionIndex',
  'type',
  'result',
  'transfers',
  'tokenTransfers',
  'nftTransfers',
  'successful',
])

const transfers: Subject = {
  from: new Set(['TransactionRecorded']),
  copyOf: (origin) => {
    const facts = readTransfers(origin.value)
    const event = hasMovedTokens(facts) ? facts : { ...facts, tokenTransfers: [], nftTransfers: [] }
    const moved = event.transfers.length + event.tokenTransfers.length + event.nftTransfers.length
    return moved === 0 ? undefined : copied('TransfersRecorded', origin, event)
  },
}

const messageFields = [
  'consensusTimestamp',
  'validStartTimestamp',
  'payerAccountId',
  'type',
  'result',
  'entityId',
  'successful',
  'record',
  'consensusSubmitMessage',
] as const

/** Of other transactions hardly more than the type is read. */
const readMessage = createLazyEventReader('TransactionRecorded', messageFields)

const topicMessages: Subject = {
  from: new Set(['TransactionRecorded']),
  copyOf: (origin) => {
    const facts = readMessage(origin.value)
    const message = facts.type === transactionType.topicMessage ? messageOf(facts) : undefined
    return message && copied('TopicMessageRecorded', origin, message)
  },
}

type MessageFacts = Pick<TransactionRecorded, (typeof messageFields)[number]>

/** undefined where it was refused, or where its number is not known. */
function messageOf(facts: MessageFacts): EventOf<'TopicMessageRecorded'> | undefined {
  const { entityId: topicId, consensusSubmitMessage: body } = facts
  const receipt = hasSucceeded(facts) ? facts.record?.receipt : undefined
  if (!body || !receipt || topicId === null) return undefined
  const chunk = body.chunkInfo
  const initial = chunk?.initialTransactionID ?? null
  return {
    consensusTimestamp: facts.consensusTimestamp,
    topicId,
    sequenceNumber: receipt.topicSequenceNumber,
    message: body.message,
    payerAccountId: facts.payerAccountId,
    validStartTimestamp: facts.validStartTimestamp,
    runningHash: receipt.topicRunningHash,
    runningHashVersion: receipt.topicRunningHashVersion,
    chunkNumber: chunk?.number ?? null,
    chunkTotal: chunk?.total ?? null,
    initialTransactionId: initial && {
      accountId: accountNumber(initial.accountID),
      validStartTimestamp: initial.transactionValidStart === null ? 0n : timeOf(initial.transactionValidStart),
      nonce: initial.nonce,
      scheduled: initial.scheduled,
    },
  }
}

const blocks: Subject = {
  from: new Set(['BlockRecorded', 'BlockNumbersShifted']),
  // Written anew: how a value is framed is up to the topic.
  copyOf: (origin) =>
    origin.type === 'BlockRecorded'
      ? copied('BlockRecorded', origin, decodeEvent({ type: 'BlockRecorded', value: origin.value }))
      : copied('BlockNumbersShifted', origin, decodeEvent({ type: 'BlockNumbersShifted', value: origin.value })),
}

function copied<T extends EventType>(type: T, { key, time }: LogRecord, event: Partial<EventOf<T>>): LogRecord {
  return { type, key, time, value: encodeEvent(type, event) }
}

export const subjects: Readonly<Record<CopyName, Subject>> = { transfers, 'topic-messages': topicMessages, blocks }
