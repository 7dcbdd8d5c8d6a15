import { type Block, blockText } from '#src/importer/block/block.ts'
import { genesisState } from '#src/importer/block/genesis-state.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { readTransactions } from '#src/importer/block/records/transactions.ts'
import type { WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import type { ItemInput } from '#src/importer/decode/block-input.ts'
import { recordFileFacts, type VerifiedBlock } from '#src/importer/publish/verified-block.ts'
import { consensusTimeOf } from '#src/importer/record/consensus-time.ts'
import { sha384 } from '#src/importer/record/hash.ts'
import type { RecordItem } from '#src/importer/record/record-file.ts'
import { recordsOfTypes, sidecarMissing } from '#src/importer/record/sidecar-file.ts'

export interface WrappedBlockParts {
  readonly block: Block
  readonly wrapped: WrappedFile
  /** Nodes whose signatures of the record file hold, ascending. */
  readonly signedBy: readonly bigint[]
  /** Hash of the block, by which the next one names it. */
  readonly blockRoot: Buffer
  readonly proof: string
  /** Types of sidecar records to read; none: sidecars are not looked at. */
  readonly sidecarTypes: ReadonlySet<number>
  /** It is the first of the log. */
  readonly isFirst: boolean
}

/** A proved block that wraps a record file as it is published: as the file would be, but for what tells of how it came. */
export function wrappedBlock(parts: WrappedBlockParts): VerifiedBlock {
  const { block, wrapped, signedBy, blockRoot, proof, isFirst } = parts
  const what = blockText(block)
  const fail = (reason: string) => malformedBlock(what, reason)
  const facts = recordFileFacts(wrapped.file)
  return {
    what,
    facts: {
      ...facts,
      size: block.size ?? facts.size,
      signedBy: [...signedBy],
      blockRoot,
      proof,
      source: block.origin,
    },
    number: block.header.number,
    items: amendedItems(wrapped, what),
    sidecarRecords: sidecarRecords(parts),
    opening: isFirst && block.header.number === 0n ? genesisState(readTransactions(block, fail), fail) : [],
  }
}

/** Amendments replace the item of their consensus time, or come in between. */
function amendedItems({ file, amendments }: WrappedFile, what: string): readonly ItemInput[] {
  if (amendments.length === 0) return file.items
  const byTime = new Map<bigint, ItemInput>(file.items.map((item) => [timeOf(item, what), item]))
  for (const item of amendments) {
    const time = timeOf(item, what)
    byTime.set(time, byTime.has(time) ? item : { ...item, isAmendment: true })
  }
  return [...byTime].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

function timeOf({ record }: RecordItem, what: string): bigint {
  const fail = (reason: string) => malformedBlock(what, reason)
  const time = consensusTimeOf(record, fail)
  if (time === undefined) throw fail('a transaction record has no consensus time')
  return time
}

/** Of the wanted types; each sidecar has to be the one that the signed file names. */
function sidecarRecords({ block, wrapped, sidecarTypes }: WrappedBlockParts): Buffer[] {
  const wanted = wrapped.file.sidecars.filter(({ types }) => types.some((type) => sidecarTypes.has(type)))
  if (wanted.length === 0) return []
  const byHash = new Map(wrapped.sidecars.map((content) => [sha384(content).toString('hex'), content]))
  return wanted.flatMap((metadata) => {
    const content = byHash.get(metadata.hash.toString('hex'))
    const name = `${metadata.id} of ${blockText(block)}`
    if (!content) throw sidecarMissing(name)
    const sidecar = { name, size: content.length, sizeUnpacked: content.length, hash: metadata.hash, content }
    return recordsOfTypes(sidecar, sidecarTypes)
  })
}
