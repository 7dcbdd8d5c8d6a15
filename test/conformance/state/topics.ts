import type { TransactionID } from '#schemas/events/types.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'
import { decodeMessage, eventMessage } from '#src/events/decode/protobuf.ts'
import { accountNumber, orNull, timeOf } from '#src/events/ids.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement, validityOf, versionsOf } from '#test/conformance/state/statement.ts'

/** Tables `topic`, `topic_history` and `topic_message`. */
export function topicStatements(rows: CaseRows): Statement[] {
  return [...versionsOf(rows, 'topic').map(topicStatement), ...(rows['topic_message'] ?? []).map(messageStatement)]
}

function topicStatement(row: CaseRow): Statement {
  const topicId = read.int64(row, 'id')
  return statement('TopicSnapshotted', `topic/${topicId}`, {
    topicId,
    ...validityOf(row),
    createdTimestamp: read.int64OrNull(row, 'created_timestamp'),
    adminKey: read.bytesOrNull(row, 'admin_key'),
    submitKey: read.bytesOrNull(row, 'submit_key'),
    feeScheduleKey: read.bytesOrNull(row, 'fee_schedule_key'),
    feeExemptKeys: keysOf(read.bytes(row, 'fee_exempt_key_list')),
  })
}

/** The keys of a serialized FeeExemptKeyList. */
function keysOf(list: Buffer): Buffer[] {
  const fields = new FieldReader(list, (reason) => new LedgerError('file_malformed', reason))
  const keys: Buffer[] = []
  while (fields.next()) keys.push(fields.bytes())
  return keys
}

function messageStatement(row: CaseRow): Statement {
  const [topicId, sequenceNumber] = [read.int64(row, 'topic_id'), read.int64(row, 'sequence_number')]
  const chunkNumber = read.int32OrNull(row, 'chunk_num')
  return statement('TopicMessageSnapshotted', `topic-message/${topicId}/${sequenceNumber}`, {
    topicId,
    sequenceNumber,
    asOf: read.int64(row, 'consensus_timestamp'),
    message: read.bytes(row, 'message'),
    payerAccountId: read.int64OrNull(row, 'payer_account_id'),
    runningHash: read.bytes(row, 'running_hash'),
    runningHashVersion: read.int32OrNull(row, 'running_hash_version'),
    chunkNumber,
    chunkTotal: read.int32OrNull(row, 'chunk_total'),
    initialTransactionId: chunkNumber === null ? null : initialTransactionId(row),
  })
}

/** Where a row has no serialized id, its own transaction stands for the first, as far as the row tells: all that the service shows then. */
function initialTransactionId(row: CaseRow) {
  const serialized = read.bytesOrNull(row, 'initial_transaction_id')
  if (serialized !== null) {
    const { message: id } = decodeMessage<TransactionID>(eventMessage('proto.TransactionID'), serialized)
    const validStartTimestamp = id.transactionValidStart === null ? 0n : timeOf(id.transactionValidStart)
    const { nonce, scheduled } = id
    return { accountId: orNull(accountNumber(id.accountID)), validStartTimestamp, nonce, scheduled }
  }
  const validStartTimestamp = read.int64OrNull(row, 'valid_start_timestamp')
  if (validStartTimestamp === null) return null
  return {
    accountId: read.int64OrNull(row, 'payer_account_id'),
    validStartTimestamp,
    nonce: null,
    scheduled: null,
  }
}
