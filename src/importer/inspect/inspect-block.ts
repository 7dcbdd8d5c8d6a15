import type { HashRule } from '#src/domain/block-hash.ts'
import { blockItem } from '#src/domain/block-items.ts'
import { blockName } from '#src/domain/block-name.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { versionText } from '#src/domain/semantic-version.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { readTransactions } from '#src/importer/block/records/transactions.ts'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import { readWrappedFile, type WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { inspectProofs, type ProofFacts } from '#src/importer/inspect/block-proofs.ts'
import type { GivenTrust } from '#src/importer/inspect/given-trust.ts'
import { type RecordFacts, recordFacts } from '#src/importer/inspect/inspect-record-file.ts'
import { type Counts, countsOf, countTransactions } from '#src/importer/inspect/transaction-counts.ts'

const itemsField = 1
const kindsOfItems: ReadonlyMap<number, string> = new Map(
  Object.entries(blockItem).map(([name, number]) => [number, snakeCase(name)]),
)

/** What a block says, and what is to be believed of it. Hashes are hex; times are ns. */
export interface BlockFacts {
  /** As a stream of blocks calls it. */
  readonly name: string
  readonly number: bigint
  readonly hapiVersion: string
  readonly softwareVersion: string
  /** In its header. */
  readonly time: bigint
  /** Nothing in it says which one is its own. */
  readonly hashes: Readonly<Record<HashRule, string>>
  /** That the first proof which holds is about; null where none does, or it is about a record file. */
  readonly hashRule: HashRule | null
  readonly previousHash: string
  readonly rounds: readonly [first: bigint, last: bigint] | null
  readonly size: number
  readonly sizeUnpacked: number
  readonly items: Counts
  /** null of a block without transactions of its own. */
  readonly consensusStart: bigint | null
  readonly consensusEnd: bigint | null
  readonly count: number
  readonly transactions: Counts
  /** Votes of nodes, which are executed without a result. */
  readonly withoutResult: number
  readonly proofs: readonly ProofFacts[]
  /** That it wraps. */
  readonly recordFile: (RecordFacts & { readonly amendments: number }) | null
}

export interface BlockFile {
  /** With its folder, for errors. */
  readonly name: string
  readonly folder: string
  readonly bytes: Buffer
  /** Of the block, unpacked. */
  readonly blockBytesMax: number
}

/** Throws `file_malformed` at whatever does not have the form of a block; a proof that does not hold is a verdict. */
export async function inspectBlock(
  { name, folder, bytes, blockBytesMax }: BlockFile,
  trust: GivenTrust,
): Promise<BlockFacts> {
  const content = unpackBlockFile(name, bytes, blockBytesMax)
  const at = { headerAt: 0, completeAt: 0 }
  const block = readBlock({ number: 0n, name, pieces: [content], size: bytes.length, origin: folder, ...at })
  const wrapped = readWrappedFile(block)
  const proofs = await inspectProofs(block, wrapped, trust)
  return {
    ...headFacts(block),
    hashRule: proofs.find(({ hashRule }) => hashRule !== null)?.hashRule ?? null,
    size: bytes.length,
    ...contentFacts(block, content),
    proofs,
    recordFile: wrapped ? wrappedFacts(wrapped) : null,
  }
}

function headFacts({ header, footer, hashes, rounds, sizeUnpacked }: Block) {
  const { number, hapiVersion, softwareVersion, time } = header
  return {
    name: blockName(number),
    number,
    hapiVersion: versionText(hapiVersion),
    softwareVersion: versionText(softwareVersion),
    time,
    hashes: { sixteen: hashes.sixteen.toString('hex'), eight: hashes.eight.toString('hex') },
    previousHash: footer.previousRoot.toString('hex'),
    rounds: rounds ?? null,
    sizeUnpacked,
  }
}

function contentFacts(block: Block, content: Buffer) {
  const fail: Fail = (reason) => malformedBlock(blockText(block), reason)
  const items = countBlockItems(content, fail)
  const { transactions } = readTransactions(block, fail)
  const signed = (items['signed_transaction'] ?? 0) + (items['redacted_item'] ?? 0)
  return {
    items,
    consensusStart: transactions[0]?.result.time ?? null,
    consensusEnd: transactions.at(-1)?.result.time ?? null,
    count: transactions.length,
    transactions: countTransactions(transactions),
    withoutResult: Math.max(0, signed - transactions.filter(({ isInner }) => !isInner).length),
  }
}

/** As it was signed; it never was a file of this size. */
function wrappedFacts({ file, amendments }: WrappedFile): RecordFacts & { readonly amendments: number } {
  return { ...recordFacts(file), amendments: amendments.length }
}

/** Items of a serialized Block by what the network calls them; one of a later version by its number. */
function countBlockItems(block: Buffer, fail: Fail): Counts {
  return countsOf(itemNames(block, fail))
}

function* itemNames(block: Buffer, fail: Fail): Generator<string, void, undefined> {
  const fields = new FieldReader(block, fail)
  while (fields.next()) {
    if (fields.field !== itemsField) continue
    const item = fields.message()
    if (item.next()) yield kindsOfItems.get(item.field) ?? `item_${item.field}`
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
