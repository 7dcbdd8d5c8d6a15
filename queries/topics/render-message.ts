import type { MessageRow } from '#projections/topics/schema.ts'
import type { MessageEncoding } from '#queries/topics/params.ts'
import { base64Texts } from '#src/domain/base64-texts.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON texts of messages. */
export function renderMessages(rows: readonly MessageRow[], encoding: MessageEncoding = 'base64'): string[] {
  const hashes = base64Texts(rows.map(({ runningHash }) => runningHash))
  const contents =
    encoding === 'base64'
      ? // Base64 needs no escapes.
        base64Texts(rows.map(({ message }) => message)).map((text) => `"${text}"`)
      : rows.map(({ message }) => JSON.stringify(asBuffer(message).toString(encoding)))
  return rows.map(
    (row, index) =>
      `{"chunk_info":${renderChunk(row)},"consensus_timestamp":"${formatLedgerTime(row.time)}","message":${contents[index]},` +
      `"payer_account_id":${idOrNull(row.payer)},"running_hash":"${hashes[index]}",` +
      `"running_hash_version":${row.runningHashVersion},"sequence_number":${row.number},"topic_id":"${formatEntityId(row.topic)}"}`,
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
