import type { WrappedFile } from '#src/simulator/blocks/wrapped-block.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { accounts } from '#src/simulator/ids.ts'
import {
  buildRecordFile,
  buildSignatureFile,
  compress,
  type Item,
  metadataHash,
  sha384,
  sidecarMetadata,
} from '#src/simulator/record-file.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import type { NodeKey } from '#src/simulator/rsa-keys.ts'
import { runningHashOver } from '#src/simulator/running-hash.ts'
import { semanticVersion } from '#src/simulator/semantic-version.ts'
import type { SimulatedFile } from '#src/simulator/simulated-file.ts'
import { fileInstant, type Instant } from '#src/simulator/time.ts'

export interface SimulatedBlock {
  readonly stream: 'records' | 'blocks'
  /** Name of the data file; of a block that of its block file. */
  readonly name: string
  readonly number: number
  /** Items in the file: transactions with children and duplicates. */
  readonly transactionCount: number
  /** Bytes of the data file before compression. */
  readonly size: number
  /**
   * Data and sidecar files first, then the signatures that make them count, then the same as a block where that is asked for.
   * None where a block is published with a later one, whose files include its own.
   */
  readonly files: readonly SimulatedFile[]
}

export interface BlockContents {
  readonly number: number
  readonly startHash: Uint8Array
  readonly items: readonly Item[]
  readonly sidecars: readonly Message[]
  /** Consensus time of the first item. */
  readonly first: Instant
}

const sidecarTypes = ['stateChanges', 'actions', 'bytecode'] as const

export interface AssembledBlock {
  readonly block: SimulatedBlock
  /** The running hash at its end. */
  readonly endHash: Uint8Array
  /** What the same would be as a block. */
  readonly wrappable: WrappedFile
}

/** The files that the nodes publish for a block. */
export function assembleBlock(
  options: ResolvedOptions,
  keys: readonly NodeKey[],
  contents: BlockContents,
): AssembledBlock {
  const instant = fileInstant(contents.first)
  const endHash = runningHashOver(contents.startHash, contents.items)
  const sidecar = buildSidecar(contents.sidecars)
  const hapiVersion = semanticVersion(options.recordVersion)
  const header = { hapiVersion, startHash: contents.startHash, endHash, blockNumber: contents.number }
  const data = buildRecordFile({ ...header, items: contents.items, sidecars: sidecar ? [sidecar.metadata] : [] })
  const published = options.dataCopies === 'one' ? keys.slice(0, 1) : keys
  const compressed = compress(data)
  const compressedSidecar = sidecar && compress(sidecar.bytes)
  const dataFiles = published.flatMap((_, node): SimulatedFile[] => [
    { path: `${nodeFolder(node)}/${instant}.rcd.gz`, bytes: compressed },
    ...(compressedSidecar
      ? [{ path: `${nodeFolder(node)}/sidecar/${instant}_01.rcd.gz`, bytes: compressedSidecar }]
      : []),
  ])
  const hashes = [sha384(data), metadataHash(header)] as const
  const signed = keys.map((key) => buildSignatureFile(...hashes, key))
  const signatures = signed.map(
    ({ bytes }, node): SimulatedFile => ({ path: `${nodeFolder(node)}/${instant}.rcd_sig`, bytes }),
  )
  const block: SimulatedBlock = {
    stream: 'records',
    name: `${instant}.rcd.gz`,
    number: contents.number,
    transactionCount: contents.items.length,
    size: data.length,
    files: [...dataFiles, ...signatures],
  }
  const wrappable = {
    number: contents.number,
    first: contents.first,
    data,
    sidecars: sidecar ? [sidecar.bytes] : [],
    signatures: signed.map(({ signature }) => signature),
  }
  return { block, endHash, wrappable }
}

export function nodeFolder(node: number): string {
  return `recordstreams/record0.0.${accounts.firstNode + node}`
}

function buildSidecar(sidecarRecords: readonly Message[]): { bytes: Uint8Array; metadata: Message } | undefined {
  if (sidecarRecords.length === 0) return undefined
  const bytes = encode('proto.SidecarFile', { sidecarRecords })
  const types = sidecarTypes.flatMap((field, index) =>
    sidecarRecords.some((record) => field in record) ? [index + 1] : [],
  )
  return { bytes, metadata: sidecarMetadata(bytes, types) }
}
