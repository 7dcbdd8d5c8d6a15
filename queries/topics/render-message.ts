import type { MessageRow } from '#projections/topics/schema.ts'
import type { MessageEncoding } from '#queries/topics/params.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON text of a message. */
export function renderMessage(row: MessageRow, encoding: MessageEncoding = 'base64'): string {
  const contents = asBuffer(row.message).toString(encoding)
  // Base64 needs no escapes.
  const message = encoding === 'base64' ? `"${contents}"` : JSON.stringify(contents)
  return (
    `{"chunk_info":${renderChunk(row)},"consensus_timestamp":"${formatLedgerTime(row.time)}","message":${message},` +
    `"payer_account_id":${idOrNull(row.payer)},"running_hash":"${asBuffer(row.runningHash).toString('base64')}",` +
    `"running_hash_version":${row.runningHashVersion},"sequence_number":${row.number},"topic_id":"${formatEntityId(row.topic)}"}`
  )
}

function renderChunk(row: MessageRow): string {
  const { chunk, chunks, initialPayer, initialValidStart, initialNonce, initialScheduled } = row
  if (chunk === null) return 'null'
  const validStart = initialValidStart === null ? null : `"${formatLedgerTime(initialValidStart)}"`
  const scheduled = initialScheduled === null ? null : initialScheduled === 1
  return (
    `{"initial_transaction_id":{"account_id":${idOrNull(initialPayer)},"nonce":${initialNonce},"scheduled":${scheduled},` +
    `"transaction_valid_start":${validStart}},"number":${chunk},"total":${chunks}}`
  )
}

function idOrNull(id: bigint | null): string {
  return id === null ? 'null' : `"${formatEntityId(id)}"`
}
