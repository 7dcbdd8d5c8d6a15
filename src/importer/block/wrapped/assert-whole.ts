import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import type { WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { consensusTimeOf } from '#src/importer/record/consensus-time.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'

/** Children that run before their parent come before the one that the file is named for. */
const nameLeadMax = 1_000_000n

/**
 * Holds what a block says of the record file that it wraps, its number and its time, against the file, which is signed. Throws
 * `file_malformed`.
 */
export function assertWhole({ file, instant }: WrappedFile, block: Block): void {
  const fail = (reason: string) => malformedBlock(blockText(block), reason)
  const { blockNumber, items, consensusStart, name } = file
  if (blockNumber !== undefined && blockNumber !== block.header.number)
    throw fail(`the record file ${name} that it wraps is of block ${blockNumber}`)
  if (items.length === 0) throw fail(`the record file ${name} that it wraps is empty`)
  const lead = instant - consensusStart
  const isTime = items.some(({ record }) => consensusTimeOf(record, fail) === instant)
  if (lead < 0n || lead >= nameLeadMax || !isTime)
    throw fail(`it names the record file that it wraps ${name}, whose first transaction is of ${consensusStart} ns`)
  if (!runningHashHolds(file)) throw fail(`the items of the record file ${name} do not lead to its end running hash`)
}
