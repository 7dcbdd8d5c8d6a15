import type { HashRule } from '#src/domain/block-hash.ts'
import type { BlockHeader } from '#src/domain/block-header.ts'
import type { ItemList } from '#src/importer/block/item-list.ts'

/** What ties a block to those before it and to the state that it began with. Hashes of 48 bytes. */
export interface BlockFooter {
  readonly previousRoot: Buffer
  readonly earlierBlocksRoot: Buffer
  /** Empty: that of an empty tree. */
  readonly startStateRoot: Buffer
}

export type ProofKind = 'signature' | 'state' | 'record-file'

/** A proof as it stands in the block: `message` is the serialized TssSignedBlockProof, StateProof or SignedRecordFileProof. */
export interface BlockProof {
  readonly kind: ProofKind
  /** That it says to be of. */
  readonly block: bigint
  readonly message: Buffer
}

/** A block as read: its parts are slices of the bytes as received. Nothing of it is proved yet. */
export interface Block {
  /** As published, and where it came from: for errors and for the event. */
  readonly name: string
  readonly origin: string
  /** Bytes as stored; undefined when it was streamed. */
  readonly size: number | undefined
  /** Bytes of its items. */
  readonly sizeUnpacked: number
  readonly header: BlockHeader
  readonly footer: BlockFooter
  /** What its hash is under each rule; nothing in the block says which one holds. */
  readonly hashes: Readonly<Record<HashRule, Buffer>>
  /** First and last round; undefined where it has none. */
  readonly rounds: readonly [first: bigint, last: bigint] | undefined
  /** Everything that tells of transactions, in order. */
  readonly items: ItemList
  /** The serialized RecordFileItem of a block that wraps a record file. */
  readonly recordFile: Buffer | undefined
  /** At least one; the first decides. */
  readonly proofs: readonly BlockProof[]
}

/** `block 7 of <origin>`, for sentences. */
export function blockText({ header, origin }: Pick<Block, 'header' | 'origin'>): string {
  return `block ${header.number} of ${origin}`
}
