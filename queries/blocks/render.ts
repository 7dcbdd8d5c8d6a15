import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import type { BlockReceipts } from '#queries/blocks/find-receipts.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { int64, nullableText, objectSchema, text } from '#queries/common/object-schema.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { timeText } from '#src/domain/json-text.ts'

interface ShownBlock extends FoundBlock {
  readonly receipts: BlockReceipts
}

const rootSchema = {
  ...nullableText,
  description:
    '0x and 64 hex digits: root of the Merkle-Patricia trie of the receipts, as JSON-RPC relays compute it; zeros where there are none. An extension of this service; null while they are not known',
}

export const blockObject = defineObject<ShownBlock>(
  {
    count: [{ ...int64, description: 'Transactions' }, ({ count }) => count],
    gas_used: [{ ...int64, nullable: true }, ({ gasUsed }) => gasUsed],
    hapi_version: [
      { ...nullableText, example: '0.47.0' },
      ({ hapiVersion }) => (hapiVersion === null ? null : `"${hapiVersion}"`),
    ],
    hash: [{ ...text, description: '0x and 96 hex digits' }, ({ hash }) => `"0x${hash}"`],
    logs_bloom: [{ ...nullableText, description: '0x and 512 hex digits' }, renderBloom],
    name: [{ ...text, description: 'Name of the record file' }, ({ name }) => JSON.stringify(name)],
    number: [int64, ({ number }) => number],
    previous_hash: [text, ({ previousHash }) => `"0x${hexOf(previousHash)}"`],
    receipts_root: [rootSchema, ({ receipts: { root } }) => (root === null ? null : `"0x${root}"`)],
    size: [{ type: 'integer', nullable: true, description: 'Bytes' }, ({ size }) => size],
    timestamp: [
      objectSchema({ from: text, to: text }, { title: 'TimestampRange' }),
      ({ consensusStart, consensusEnd }) => `{"from":${timeText(consensusStart)},"to":${timeText(consensusEnd)}}`,
    ],
  },
  { title: 'Block' },
)

const bloomDigits = 512

/** Of the logs that are known, else as it was recorded: left padded to 256 bytes, and empty of a block without logs. */
function renderBloom({ logsBloom, receipts: { bloom } }: ShownBlock): string | null {
  if (bloom !== null) return `"0x${bloom}"`
  if (logsBloom === null) return null
  return logsBloom.length === 0 ? '"0x"' : `"0x${hexOf(logsBloom).padStart(bloomDigits, '0')}"`
}
