import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { genesisState } from '#src/importer/block/genesis-state.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { blockRecords } from '#src/importer/block/records/block-records.ts'
import type { KnownFacts } from '#src/importer/block/records/known-facts.ts'
import type { BlockTransactions } from '#src/importer/block/records/transactions.ts'
import type { Proof } from '#src/importer/block-stream/prove-block.ts'
import { type VerifiedBlock, versionFields } from '#src/importer/publish/verified-block.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'

export interface StreamBlockParts {
  readonly block: Block
  readonly read: BlockTransactions
  readonly proof: Pick<Proof, 'hash' | 'kind'>
  /** That it follows; undefined where it is the first of the log. */
  readonly last: LastBlock | undefined
  readonly known: KnownFacts
}

export interface StreamBlock {
  readonly verified: VerifiedBlock
  /** What could not be told of its records, for people. */
  readonly warnings: readonly string[]
}

/** A proved block as it is published: with the records that a record file would have had. */
export function streamBlock({ block, read, proof, last, known }: StreamBlockParts): StreamBlock {
  const { header, rounds } = block
  const what = blockText(block)
  const fail = (reason: string) => malformedBlock(what, reason)
  const { items, sidecarRecords, warnings, letGo } = blockRecords(read, known, fail)
  const [consensusStart, consensusEnd] = timesOf(read, header.time)
  const facts = {
    name: block.name,
    hash: proof.hash,
    ...previousOf(block, last),
    fileHash: null,
    metadataHash: null,
    version: blockStreamVersion,
    digestAlgorithm: 0,
    consensusStart,
    consensusEnd,
    size: block.size ?? null,
    ...versionFields(header.hapiVersion, header.softwareVersion),
    sidecarCount: 0,
    signedBy: [],
    sourceNodeId: null,
    roundStart: rounds?.[0] ?? null,
    roundEnd: rounds?.[1] ?? null,
    blockRoot: null,
    proof: proof.kind,
    source: block.origin,
  }
  const opening = last === undefined && header.number === 0n ? genesisState(read, fail) : []
  return { verified: { what, facts, number: header.number, items, sidecarRecords, letGo, opening }, warnings }
}

/** The chain of published hashes has no break: behind record files it goes on from theirs. */
function previousOf({ footer }: Block, last: LastBlock | undefined) {
  const { previousRoot } = footer
  const previousHash = last?.hash ?? previousRoot
  return { previousHash, previousRoot: previousHash.equals(previousRoot) ? null : previousRoot }
}

/** Of the first and last transaction; of a block without any the time in its header. */
function timesOf({ transactions }: BlockTransactions, time: LedgerTime): [LedgerTime, LedgerTime] {
  let [first, last] = [transactions[0]?.result.time ?? time, transactions[0]?.result.time ?? time]
  for (const { result } of transactions) {
    if (result.time < first) first = result.time
    if (result.time > last) last = result.time
  }
  return [first, last]
}
