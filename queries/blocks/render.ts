import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import type { BlockReceipts } from '#queries/blocks/find-receipts.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { timeText } from '#src/domain/json-text.ts'

/** JSON text of a block object. */
export function renderBlock(block: FoundBlock, { bloom, root }: BlockReceipts): string {
  const { count, gasUsed, hapiVersion, hash, name, number, previousHash, size } = block
  return (
    `{"count":${count},"gas_used":${gasUsed},"hapi_version":${hapiVersion === null ? 'null' : `"${hapiVersion}"`},` +
    `"hash":"0x${hash}","logs_bloom":${bloom === null ? renderBloom(block) : `"0x${bloom}"`},` +
    `"name":${JSON.stringify(name)},"number":${number},"previous_hash":"0x${asBuffer(previousHash).toString('hex')}",` +
    `"receipts_root":${root === null ? 'null' : `"0x${root}"`},"size":${size},` +
    `"timestamp":{"from":${timeText(block.consensusStart)},"to":${timeText(block.consensusEnd)}}}`
  )
}

const bloomDigits = 512

/** Left padded to 256 bytes; a block without logs has an empty bloom. */
function renderBloom({ logsBloom: bloom }: FoundBlock): string {
  if (bloom === null) return 'null'
  return bloom.length === 0 ? '"0x"' : `"0x${asBuffer(bloom).toString('hex').padStart(bloomDigits, '0')}"`
}
