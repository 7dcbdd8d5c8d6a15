import type { MessageRow } from '#projections/topics/schema.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { int64, text } from '#queries/common/object-schema.ts'
import type { MessageEncoding } from '#queries/topics/params.ts'
import { base64Texts } from '#src/domain/base64-texts.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { entityText, flagText, timeText } from '#src/domain/json-text.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const id = { ...text, description: 'Entity id' }
const small = { type: 'integer', format: 'int32' }

const initialTransactionId = defineObject<MessageRow>(
  {
    account_id: [{ ...id, nullable: true }, ({ initialPayer }) => idOrNull(initialPayer)],
    nonce: [{ ...small, nullable: true }, ({ initialNonce }) => initialNonce],
    scheduled: [{ type: 'boolean', nullable: true }, ({ initialScheduled }) => flagText(initialScheduled)],
    transaction_valid_start: [{ ...timestamp, nullable: true }, ({ initialValidStart }) => timeText(initialValidStart)],
  },
  { title: 'InitialTransactionId' },
)

const chunkInfo = defineObject<MessageRow>(
  {
    initial_transaction_id: [initialTransactionId.schema, initialTransactionId.render],
    number: [small, ({ chunk }) => chunk],
    total: [{ ...small, nullable: true }, ({ chunks }) => chunks],
  },
  { title: 'ChunkInfo', description: 'null when the message is no chunk of a longer one' },
)

interface ShownMessage {
  readonly row: MessageRow
  /** JSON text of what was sent. */
  readonly contents: string
  /** Base64. */
  readonly hash: string
}

export const messageObject = defineObject<ShownMessage>(
  {
    chunk_info: [
      { ...chunkInfo.schema, nullable: true },
      ({ row }) => (row.chunk === null ? null : chunkInfo.render(row)),
    ],
    consensus_timestamp: [timestamp, ({ row }) => timeText(row.time)],
    message: [
      { ...text, description: 'Contents, in base64 unless the request wants text' },
      ({ contents }) => contents,
    ],
    payer_account_id: [{ ...id, nullable: true }, ({ row }) => idOrNull(row.payer)],
    running_hash: [{ ...text, format: 'byte' }, ({ hash }) => `"${hash}"`],
    running_hash_version: [small, ({ row }) => row.runningHashVersion],
    sequence_number: [int64, ({ row }) => row.number],
    topic_id: [id, ({ row }) => entityText(row.topic)],
  },
  { title: 'TopicMessage' },
)

/** JSON texts of messages. */
export function renderMessages(rows: readonly MessageRow[], encoding: MessageEncoding = 'base64'): string[] {
  const hashes = base64Texts(rows.map(({ runningHash }) => runningHash))
  const contents =
    encoding === 'base64'
      ? // Base64 needs no escapes.
        base64Texts(rows.map(({ message }) => message)).map((base64) => `"${base64}"`)
      : rows.map(({ message }) => JSON.stringify(asBuffer(message).toString(encoding)))
  return rows.map((row, index) => messageObject.render({ row, contents: contents[index]!, hash: hashes[index]! }))
}

function idOrNull(id: bigint | null): string {
  return id === null ? 'null' : entityText(id)
}
