import { type BlockHashParts, blockHash, type HashRule } from '#src/domain/block-hash.ts'
import { type BlockHeader, readBlockHeader } from '#src/domain/block-header.ts'
import { blockItem, leafOfItem, namedInItem, notHashed } from '#src/domain/block-items.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { hashBytes, MerkleTree } from '#src/domain/merkle-tree.ts'
import type { Block, BlockFooter, BlockProof, ProofKind } from '#src/importer/block/block.ts'
import { readHashItem } from '#src/importer/block/hash-item.ts'
import { ItemList } from '#src/importer/block/item-list.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { type UnprovedPart, unproved } from '#src/importer/block/unproved.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

const itemsField = 1
/** What hashing takes a second or two; a block of a busy network has some 100,000. */
const itemsMax = 800_000
/** The first decides; nobody needs more than one of each kind. */
const proofsMax = 16

/** Items that tell of transactions; the others are only hashed. */
const keptItems: ReadonlySet<number> = new Set([
  blockItem.signedTransaction,
  blockItem.transactionResult,
  blockItem.transactionOutput,
  blockItem.stateChanges,
  blockItem.traceData,
  blockItem.redactedItem,
])

/** Items of rounds, of which a block that wraps a record file has none. */
const itemsOfRounds: ReadonlySet<number> = new Set([
  blockItem.eventHeader,
  blockItem.roundHeader,
  blockItem.signedTransaction,
  blockItem.transactionResult,
  blockItem.transactionOutput,
  blockItem.traceData,
])

/**
 * Reads a block from its bytes as received: finds its items, hashes them into their trees, and computes what its hash is under
 * each rule. Throws `file_malformed` at whatever does not have the form of a block, and `proof_invalid` at items that were redacted unless
 * those are accepted.
 */
export function readBlock(source: SourceBlock, accepted: ReadonlySet<UnprovedPart> = nothingUnproved): Block {
  return new BlockReader(source, accepted).read()
}

const nothingUnproved: ReadonlySet<UnprovedPart> = new Set()

class BlockReader {
  readonly #source: SourceBlock
  readonly #accepted: ReadonlySet<UnprovedPart>
  readonly #what: string
  readonly #fail: Fail
  readonly #items: ItemList
  readonly #trees = new Map<number, MerkleTree>()
  readonly #proofs: BlockProof[] = []
  #header: BlockHeader | undefined
  #footer: BlockFooter | undefined
  #recordFile: Buffer | undefined
  #hasRounds = false
  #firstRound: bigint | undefined
  #lastRound: bigint | undefined
  #sizeUnpacked = 0
  #itemsRead = 0

  constructor(source: SourceBlock, accepted: ReadonlySet<UnprovedPart>) {
    this.#source = source
    this.#accepted = accepted
    this.#what = `${source.name} of ${source.origin}`
    this.#fail = (reason) => malformedBlock(this.#what, reason)
    this.#items = new ItemList(source.pieces)
  }

  read(): Block {
    const { name, origin, size, pieces } = this.#source
    for (const [index, piece] of pieces.entries()) this.#readPiece(piece, index)
    if (!this.#header) throw this.#fail('it is empty')
    if (!this.#footer) throw this.#fail('it has no footer')
    if (this.#proofs.length === 0) throw this.#fail('it has no proof')
    const header = this.#header
    return {
      name,
      origin,
      size,
      sizeUnpacked: this.#sizeUnpacked,
      header,
      footer: this.#footer,
      hashes: this.#hashes({ timestamp: header.timestamp, ...this.#footer }),
      rounds: this.#firstRound === undefined ? undefined : [this.#firstRound, this.#lastRound ?? this.#firstRound],
      items: this.#items,
      recordFile: this.#recordFile,
      proofs: this.#proofs,
    }
  }

  #hashes(parts: Omit<BlockHashParts, 'trees'>): Record<HashRule, Buffer> {
    const trees = new Map([...this.#trees].map(([leaf, tree]) => [leaf, tree.root()]))
    return { eight: blockHash({ ...parts, trees }, 'eight'), sixteen: blockHash({ ...parts, trees }, 'sixteen') }
  }

  #readPiece(piece: Buffer, index: number): void {
    const fields = new FieldReader(piece, this.#fail)
    while (fields.next()) {
      if (fields.field !== itemsField) throw this.#fail(`it has the field ${fields.field} beside its items`)
      this.#readItem(fields.bytes(), piece, index)
    }
    this.#sizeUnpacked += piece.length
  }

  #readItem(item: Buffer, piece: Buffer, index: number): void {
    if (++this.#itemsRead > itemsMax) throw this.#fail(`it has more than ${itemsMax} items`)
    const fields = new FieldReader(item, this.#fail)
    if (!fields.next()) throw this.#fail('it has an item without content, which belongs nowhere')
    const { field: number } = fields
    const content = fields.bytes()
    if (fields.next()) throw this.#fail(`an item has both the number ${number} and ${fields.field}`)
    this.#assertPlace(number)
    this.#hash(number, item, content)
    this.#take(number, content)
    const start = content.byteOffset - piece.byteOffset
    if (keptItems.has(number)) this.#items.add(number, index, start, start + content.length)
  }

  /** The header comes first; behind the footer there are proofs alone. */
  #assertPlace(number: number): void {
    if ((number === blockItem.header) === (this.#header !== undefined))
      throw this.#fail(this.#header ? 'it has two headers' : `it begins with the item ${number} instead of its header`)
    if (number === blockItem.proof) {
      if (!this.#footer) throw this.#fail('a proof comes before its footer')
    } else if (this.#footer && leafOfItem(number) !== notHashed) {
      throw this.#fail(`the item ${number} follows its footer`)
    }
    // What comes behind a proof belongs to further ones, and the first decides.
    if (number === blockItem.footer && this.#footer && this.#proofs.length === 0) throw this.#fail('it has two footers')
  }

  #hash(number: number, item: Buffer, content: Buffer): void {
    const leaf = leafOfItem(number)
    if (leaf === undefined)
      throw this.#fail(`its item ${number} is not known, nor in which tree it belongs; a newer version may know it`)
    if (leaf === notHashed) return
    if (leaf === namedInItem) {
      if (number === blockItem.redactedItem && !this.#accepted.has('redactions'))
        throw unproved(this.#what, 'it says that an item of it was redacted, and hides it', 'redactions')
      const named = readHashItem(number, content, this.#fail)
      this.#treeOf(named.leaf).addHash(named.hash)
    } else this.#treeOf(leaf).add(item)
  }

  #treeOf(leaf: number): MerkleTree {
    const known = this.#trees.get(leaf)
    if (known) return known
    const tree = new MerkleTree()
    this.#trees.set(leaf, tree)
    return tree
  }

  #take(number: number, content: Buffer): void {
    if (number === blockItem.header) this.#header = readBlockHeader(content, this.#fail)
    else if (number === blockItem.roundHeader) this.#takeRound(content)
    else if (number === blockItem.footer) this.#footer ??= readFooter(content, this.#fail)
    else if (number === blockItem.proof) this.#takeProof(content)
    else if (number === blockItem.recordFile) this.#takeRecordFile(content)
    this.#hasRounds ||= itemsOfRounds.has(number)
    if (this.#hasRounds && this.#recordFile) throw this.#fail('it has rounds beside the record file that it wraps')
  }

  #takeProof(content: Buffer): void {
    if (this.#proofs.length >= proofsMax) throw this.#fail(`it has more than ${proofsMax} proofs`)
    const proof = readProof(content, this.#fail)
    if (proof) this.#proofs.push(proof)
    else if (this.#proofs.length === 0) throw this.#fail('a proof of it is of no known kind')
  }

  #takeRecordFile(content: Buffer): void {
    if (this.#recordFile) throw this.#fail('it wraps two record files')
    this.#recordFile = content
  }

  #takeRound(content: Buffer): void {
    const fields = new FieldReader(content, this.#fail)
    let round = 0n
    while (fields.next()) if (fields.field === 1) round = fields.int64()
    this.#firstRound ??= round
    this.#lastRound = round
  }
}

function readFooter(content: Buffer, fail: Fail): BlockFooter {
  const fields = new FieldReader(content, fail)
  const roots: Buffer[] = [1, 2, 3].map(() => Buffer.alloc(0))
  while (fields.next()) if (fields.field <= roots.length) roots[fields.field - 1] = fields.bytes()
  const [previousRoot, earlierBlocksRoot, startStateRoot] = roots as [Buffer, Buffer, Buffer]
  for (const [what, hash] of Object.entries({ 'previous block': previousRoot, 'earlier blocks': earlierBlocksRoot }))
    if (hash.length !== hashBytes) throw fail(`its footer has ${hash.length} bytes for the root of the ${what}`)
  if (startStateRoot.length !== 0 && startStateRoot.length !== hashBytes)
    throw fail(`its footer has ${startStateRoot.length} bytes for the root of the state`)
  return { previousRoot, earlierBlocksRoot, startStateRoot }
}

const proofKinds: Readonly<Record<number, ProofKind>> = { 2: 'signature', 3: 'state', 4: 'record-file' }

/** Undefined for a proof of a kind that is not known. */
function readProof(content: Buffer, fail: Fail): BlockProof | undefined {
  const fields = new FieldReader(content, fail)
  let block = 0n
  let proof: Pick<BlockProof, 'kind' | 'message'> | undefined
  while (fields.next()) {
    if (fields.field === 1) block = fields.int64()
    const kind = proofKinds[fields.field]
    if (kind === undefined) continue
    if (proof) throw fail(`a proof of it is of two kinds, ${proof.kind} and ${kind}`)
    proof = { kind, message: fields.bytes() }
  }
  return proof && { block, ...proof }
}
