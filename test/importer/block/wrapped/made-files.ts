import { sign } from 'node:crypto'
import { parseAddressBook } from '#src/domain/address-book.ts'
import type { Block } from '#src/importer/block/block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { PublicKeys } from '#src/importer/verify/public-keys.ts'
import { weightsOf } from '#src/importer/verify/stakes.ts'
import type { Trust } from '#src/importer/verify/trust.ts'
import type { Message } from '#src/simulator/codec.ts'
import { blockBytes, footer, header, itemBytes, sourceOf } from '#test/importer/block/made-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import {
  nanos,
  recordFileV6,
  sha384,
  type TestFile,
  type TestItem,
  type TestNode,
  timestamp,
  transferItem,
} from '#test/support/record-writer.ts'

export const firstTime = 1_700_000_000n * nanos + 5n
export const startHash = Buffer.alloc(48, 9)

export function wrappedFileV6(more: Partial<Parameters<typeof recordFileV6>[0]> = {}): TestFile {
  const items = [0n, 1n, 2n].map((index) => transferItem(firstTime + index * 10n))
  return recordFileV6({ time: firstTime, number: 7n, items, startHash, ...more })
}

/** The RecordStreamFile that a block wraps of a file of version 6, which is the file itself. */
export const contentsV6 = ({ content }: TestFile): Buffer => content.subarray(4)

export interface WrappedParts {
  readonly contents: Buffer
  readonly version: number
  /** What nodes sign. */
  readonly fileHash: Buffer
  readonly nodes: readonly TestNode[]
  readonly sidecars?: readonly Buffer[]
  readonly amendments?: readonly TestItem[]
  readonly time?: bigint
  readonly headerFields?: Message
  readonly footerFields?: Message
  /** Items before the record file. */
  readonly items?: readonly Message[]
}

/** A block that wraps a record file, signed by these nodes. */
export function wrappingBytes(parts: WrappedParts): Buffer {
  const { contents, version, fileHash, nodes, sidecars = [], amendments = [], time = firstTime } = parts
  const recordFile = bytesField(
    10,
    bytesField(1, timestamp(time)),
    bytesField(2, contents),
    ...sidecars.map((sidecar) => bytesField(3, sidecar)),
    ...amendments.map((item) => bytesField(4, bytesField(1, item.transaction), bytesField(2, item.record))),
  )
  const signatures = nodes.map(({ nodeId, privateKey }) =>
    bytesField(2, bytesField(1, sign('sha384', fileHash, privateKey)), varintField(2, nodeId)),
  )
  const proof = bytesField(9, varintField(1, 7), bytesField(4, varintField(1, version), ...signatures))
  const items = (parts.items ?? []).map(itemBytes)
  return blockBytes([header(parts.headerFields), ...items, recordFile, footer(parts.footerFields), proof])
}

export function wrappingBlock(parts: WrappedParts): Block {
  return readBlock(sourceOf(wrappingBytes(parts)))
}

export function wrappingV6(file: TestFile, nodes: readonly TestNode[], more: Partial<WrappedParts> = {}): Block {
  return wrappingBlock({ contents: contentsV6(file), version: 6, fileHash: sha384(file.content), nodes, ...more })
}

/** Whom an address book names, with stakes by node id from 0 on. */
export function trustIn(book: Buffer, stakes: readonly bigint[] = []): Trust {
  const keys = new PublicKeys()
  const entries = parseAddressBook(book, { shard: 0n, realm: 0n })!.nodes
  const nodeIds = entries.map(({ nodeId }) => nodeId)
  const rows = new Map(stakes.map((stake, index) => [BigInt(index), stake]))
  return {
    version: 1,
    nodes: entries.map((node) => ({ ...node, key: keys.find(node.publicKey) })),
    weights: weightsOf('STAKE_IN_ADDRESS_BOOK', nodeIds, rows),
    ratio: { numerator: 1n, denominator: 3n },
  }
}
