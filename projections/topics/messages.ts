import type { MessageRow } from '#projections/topics/schema.ts'
import type { ConsensusMessageChunkInfo, TopicMessageSnapshotted, TransactionRecorded } from '#schemas/events/types.ts'
import { accountNumber, orNull, timeOf } from '#src/events/ids.ts'

type Facts = Pick<
  TransactionRecorded,
  'consensusTimestamp' | 'validStartTimestamp' | 'payerAccountId' | 'entityId' | 'record' | 'consensusSubmitMessage'
>

/** The version that is meant where none is recorded. */
const runningHashVersionDefault = 3

/** The message that a transaction brought; undefined where its number and running hash are not known, which come from the receipt. */
export function submittedMessage(facts: Facts): MessageRow | undefined {
  const { consensusTimestamp: time, entityId: topic, record, consensusSubmitMessage: body } = facts
  const receipt = record?.receipt
  if (!body || !receipt || topic === null) return undefined
  return {
    time,
    topic,
    number: receipt.topicSequenceNumber,
    message: body.message,
    payer: orNull(facts.payerAccountId),
    runningHash: receipt.topicRunningHash,
    // The first ledgers recorded none, and had the first rule.
    runningHashVersion: Number(receipt.topicRunningHashVersion) || 1,
    ...(body.chunkInfo ? chunkFields(body.chunkInfo, facts) : noChunk),
  }
}

type ChunkFields = Pick<
  MessageRow,
  'chunk' | 'chunks' | 'initialPayer' | 'initialValidStart' | 'initialNonce' | 'initialScheduled'
>

const noInitial = { initialPayer: null, initialValidStart: null, initialNonce: null, initialScheduled: null }
const noChunk: ChunkFields = { chunk: null, chunks: null, ...noInitial }

/** A chunk that names no first transaction is shown with its own, as established clients know it. */
function chunkFields(
  { number, total, initialTransactionID: id }: ConsensusMessageChunkInfo,
  { payerAccountId, validStartTimestamp }: Facts,
): ChunkFields {
  const place = { chunk: number, chunks: total }
  if (id === null)
    return { ...place, ...noInitial, initialPayer: orNull(payerAccountId), initialValidStart: validStartTimestamp }
  return {
    ...place,
    initialPayer: orNull(accountNumber(id.accountID)),
    initialValidStart: id.transactionValidStart === null ? 0n : timeOf(id.transactionValidStart),
    initialNonce: id.nonce,
    initialScheduled: id.scheduled ? 1 : 0,
  }
}

/** Of a chunk whose first transaction is not stated no more is known than who paid for it. */
export function messageOfSnapshot(stated: TopicMessageSnapshotted): MessageRow {
  const { asOf: time, topicId: topic, sequenceNumber: number, message, payerAccountId: payer, chunkNumber } = stated
  const initial = stated.initialTransactionId
  return {
    time,
    topic,
    number,
    message,
    payer,
    runningHash: stated.runningHash,
    runningHashVersion: stated.runningHashVersion ?? runningHashVersionDefault,
    chunk: chunkNumber,
    chunks: stated.chunkTotal,
    initialPayer: initial === null && chunkNumber !== null ? payer : (initial?.accountId ?? null),
    initialValidStart: initial?.validStartTimestamp ?? null,
    initialNonce: initial?.nonce ?? null,
    initialScheduled: initial?.scheduled == null ? null : initial.scheduled ? 1 : 0,
  }
}
