import type { BlockChain } from '#src/simulator/blocks/block-chain.ts'
import { type BlockItemBytes, blockItem, rawField } from '#src/simulator/blocks/block-item.ts'
import { blockFile } from '#src/simulator/blocks/block-publisher.ts'
import { OpenBlock } from '#src/simulator/blocks/open-block.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import { semanticVersion } from '#src/simulator/semantic-version.ts'
import type { SimulatedFile } from '#src/simulator/simulated-file.ts'
import type { Instant } from '#src/simulator/time.ts'

/** A record file as its nodes published it. */
export interface WrappedFile {
  readonly number: number
  /** Consensus time of its first item. */
  readonly first: Instant
  /** The whole file, uncompressed: version, then a RecordStreamFile. */
  readonly data: Uint8Array
  /** Each a serialized SidecarFile. */
  readonly sidecars: readonly Uint8Array[]
  /** Of the file's hash, by node. */
  readonly signatures: readonly Uint8Array[]
}

const fileVersion = 6
const versionBytes = 4
const recordFileField = 10

/** A block that holds a record file and nothing else, in the bytes that were signed. */
export function wrappedBlock(options: ResolvedOptions, chain: BlockChain, file: WrappedFile): SimulatedFile {
  const block = new OpenBlock(file.first)
  block.add(
    blockItem('blockHeader', {
      hapiProtoVersion: semanticVersion(options.recordVersion),
      ...(file.number === 0 ? {} : { number: file.number }),
      blockTimestamp: file.first,
    }),
  )
  block.add(recordFileItem(file))
  const { bytes } = chain.appendWrapped(block)
  const recordFileSignatures = file.signatures.map(
    (signature, node): Message => ({ signaturesBytes: signature, ...(node === 0 ? {} : { nodeId: node }) }),
  )
  return blockFile(options, file.number, bytes, {
    signedRecordFileProof: { version: fileVersion, recordFileSignatures },
  })
}

function recordFileItem({ first, data, sidecars }: WrappedFile): BlockItemBytes {
  const item = [
    rawField(1, encode('proto.Timestamp', { ...first })),
    rawField(2, data.subarray(versionBytes)),
    ...sidecars.map((sidecar) => rawField(3, sidecar)),
  ]
  return rawField(recordFileField, Buffer.concat(item))
}
