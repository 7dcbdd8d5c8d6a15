import { describe, expect, it } from 'vitest'
import { hashRules } from '#src/domain/block-hash.ts'
import { blockItem } from '#src/domain/block-items.ts'
import { versionText } from '#src/domain/semantic-version.ts'
import type { Block, BlockProof } from '#src/importer/block/block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { type BlockTransactions, readTransactions } from '#src/importer/block/records/transactions.ts'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import {
  readRecordFileProof,
  readWrappedFile,
  type WrappedFile,
} from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { sha384 } from '#src/importer/record/hash.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'
import { readStateProof } from '#src/tss/state-proof-message.ts'
import { type Item, readItems } from '#test/drill/blocks/block-items.ts'
import { fail, sourceOf } from '#test/importer/block/made-blocks.ts'
import { hasSamples, sample } from '#test/importer/samples.ts'
import { decode } from '#test/simulator/read-back.ts'
import { fieldOf } from '#test/tss/vectors.ts'

type Facts = Readonly<Record<string, unknown>>
type BlockFacts = Facts & { readonly path: string; readonly merkleRule: string; readonly wrappedRecordFile?: Facts }

interface Read {
  readonly file: Buffer
  readonly unpacked: Buffer
  readonly items: readonly Item[]
  readonly block: Block
  readonly transactions: BlockTransactions['transactions']
  readonly facts: BlockFacts
}

/** What is said of the facts themselves; how many signatures of a wrapped file hold is seen where it is imported. */
const notes: ReadonlySet<string> = new Set(['path', 'asserted', 'confirmedBy', 'addressBook', 'validSignatures'])

const itemNames: Readonly<Record<number, string>> = {
  [blockItem.header]: 'block_header',
  [blockItem.eventHeader]: 'event_header',
  [blockItem.roundHeader]: 'round_header',
  [blockItem.signedTransaction]: 'signed_transaction',
  [blockItem.transactionResult]: 'transaction_result',
  [blockItem.transactionOutput]: 'transaction_output',
  [blockItem.stateChanges]: 'state_changes',
  [blockItem.proof]: 'block_proof',
  [blockItem.recordFile]: 'record_file',
  [blockItem.footer]: 'block_footer',
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** By the name of a fact: the same of the block as it is read here. */
const toldByBlock: Readonly<Record<string, (read: Read) => unknown>> = {
  number: ({ block }) => String(block.header.number),
  hapiVersion: ({ block }) => versionText(block.header.hapiVersion),
  // The header of a wrapped record file has none.
  softwareVersion: ({ block }) => (block.recordFile ? null : versionText(block.header.softwareVersion)),
  blockTimestamp: ({ block }) => String(block.header.time),
  // Any other one is refused.
  hashAlgorithm: () => 'SHA2_384',
  sizeOnDisk: ({ file }) => file.length,
  sizeDecompressed: ({ unpacked, block }) => (block.sizeUnpacked === unpacked.length ? unpacked.length : undefined),
  itemCounts: ({ items }) => countOf(items.map(({ number }) => itemNames[number])),
  merkleRule: ({ block, facts }) => {
    const rule = hashRules.find((one) => hex(block.hashes[one]) === facts['hash'])
    return rule ? `${rule}-leaf` : 'unconfirmed'
  },
  hash: ({ block, facts }) => hex(block.hashes[facts.merkleRule === 'eight-leaf' ? 'eight' : 'sixteen']),
  hashEightLeaf: ({ block }) => hex(block.hashes.eight),
  hashSixteenLeaf: ({ block }) => hex(block.hashes.sixteen),
  previousHash: ({ block }) => hex(block.footer.previousRoot),
  rootHashOfAllBlockHashesTree: ({ block }) => hex(block.footer.earlierBlocksRoot),
  startOfBlockStateRootHash: ({ block }) => hex(block.footer.startStateRoot),
  roundStart: ({ block }) => String(block.rounds?.[0]),
  roundEnd: ({ block }) => String(block.rounds?.[1]),
  transactionCount: ({ transactions }) => transactions.length,
  // A block without transactions has the time of its header.
  consensusStart: ({ transactions, block }) => String(transactions[0]?.result.time ?? block.header.time),
  consensusEnd: ({ transactions, block }) => String(transactions.at(-1)?.result.time ?? block.header.time),
  signedTransactionTypes: ({ items }) => countOf(signedIn(items).map(bodyName)),
  signedTransactionsWithoutResult: ({ items, transactions }) =>
    signedIn(items).length - transactions.filter(({ isInner }) => !isInner).length,
  proofs: ({ block }) => block.proofs.map(shownProof),
}

const toldByFile: Readonly<Record<string, (wrapped: WrappedFile) => unknown>> = {
  creationTime: ({ instant }) => String(instant),
  recordFileVersion: ({ file }) => file.version,
  recordFileName: ({ file }) => file.name.replace(/\.gz$/, ''),
  blockNumber: ({ file }) => (file.blockNumber === undefined ? undefined : String(file.blockNumber)),
  fileHash: ({ file }) => hex(file.fileHash),
  hash: ({ file }) => hex(file.chainHash),
  previousHash: ({ file }) => hex(file.previousHash),
  reconstructedSize: ({ file }) => file.size,
  count: ({ file }) => file.items.length,
  consensusStart: ({ file }) => String(file.consensusStart),
  consensusEnd: ({ file }) => String(file.consensusEnd),
  runningHashRecomputedFromItems: ({ file }) => runningHashHolds(file),
  sidecarFiles: ({ sidecars }) => sidecars.map((bytes) => ({ size: bytes.length, hash: hex(sha384(bytes)) })),
  amendments: ({ amendments }) => amendments.length,
  signatures: ({ signatures }) => signatures.length,
}

const { blockFiles } = hasSamples
  ? (JSON.parse(sample('facts.json').toString('utf8')) as { blockFiles: BlockFacts[] })
  : { blockFiles: [] }

describe.skipIf(!hasSamples)('what is known of recorded blocks', () => {
  it.each(blockFiles.map((facts) => [facts.path, facts] as const))('is told by %s', (path, facts) => {
    const read = readSample(path, facts)
    const { wrappedRecordFile, ...ofBlock } = facts
    expect(toldOf(ofBlock, toldByBlock, read)).toEqual(known(ofBlock))
    const wrapped = readWrappedFile(read.block)
    expect(wrapped === undefined).toBe(wrappedRecordFile === undefined)
    if (!wrapped || !wrappedRecordFile) return
    const ofFile = { ...wrappedRecordFile }
    // Record files have their number from version 6 on; before, the block alone tells it.
    if (wrapped.file.version < 6) expect(ofBlock['number']).toBe(ofFile['blockNumber'])
    if (wrapped.file.version < 6) delete ofFile['blockNumber']
    expect(toldOf(ofFile, toldByFile, wrapped)).toEqual(known(ofFile))
  })
})

/** A fact that nobody tells is undefined, which is not what is known. */
function toldOf<T>(facts: Facts, told: Readonly<Record<string, (of: T) => unknown>>, of: T): Facts {
  return Object.fromEntries(Object.keys(known(facts)).map((name) => [name, told[name]?.(of)]))
}

function known(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([name]) => !notes.has(name))
      .map(([name, value]) => [name, name === 'signedTransactionTypes' ? inCamelCase(value as Facts) : value]),
  )
}

function inCamelCase(counts: Facts): Facts {
  const renamed = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [renamed(name), count]))
}

function readSample(path: string, facts: BlockFacts): Read {
  const file = sample(path)
  const unpacked = unpackBlockFile(path, file, 64 << 20)
  const block = readBlock(sourceOf(unpacked))
  const items = readItems(unpacked)
  return { file, unpacked, items, block, transactions: readTransactions(block, fail).transactions, facts }
}

function signedIn(items: readonly Item[]): Buffer[] {
  return items.filter(({ number }) => number === blockItem.signedTransaction).map(({ content }) => content)
}

function bodyName(signed: Buffer): string {
  return String(decode('proto.TransactionBody', fieldOf(signed, 1) as Buffer)['data'])
}

function countOf(names: readonly (string | undefined)[]): Facts {
  const counts: Record<string, number> = {}
  for (const name of names) counts[String(name)] = (counts[String(name)] ?? 0) + 1
  return counts
}

function shownProof({ kind, block, message }: BlockProof): Facts {
  const common = { block: String(block) }
  if (kind === 'signature')
    return { kind: 'signed_block_proof', ...common, signatureLength: fieldOf(message, 1)?.length }
  if (kind === 'record-file') {
    const { version, signatures } = readRecordFileProof(message, fail)
    const nodeIds = signatures.map(({ nodeId }) => Number(nodeId))
    return { kind: 'signed_record_file_proof', ...common, recordFileVersion: version, nodeIds }
  }
  const { paths, signature } = readStateProof(message, fail)
  return {
    kind: 'block_state_proof',
    ...common,
    paths: paths.map(({ siblings, next, start, timestamp }) => ({
      ...(timestamp ? { content: 'timestamp_leaf' } : start ? { content: 'hash' } : {}),
      siblings: siblings.length,
      nextPathIndex: next,
    })),
    signatureLength: signature?.length,
  }
}
