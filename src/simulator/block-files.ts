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
import { fileInstant, type Instant } from '#src/simulator/time.ts'

export interface SimulatedFile {
  /** Relative to the root of the bucket. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface SimulatedBlock {
  /** Name of the data file. */
  readonly name: string
  readonly number: number
  /** Items in the file: transactions with children and duplicates. */
  readonly transactionCount: number
  /** Bytes of the data file before compression. */
  readonly size: number
  /** Data and sidecar files first, then the signatures that make them count. */
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

/** Version of the protobuf definitions that the simulated nodes claim to run. */
export const hapiVersion = { major: 0, minor: 73, patch: 0 } as const

const sidecarTypes = ['stateChanges', 'actions', 'bytecode'] as const

/** The files that the nodes publish for a block, and the running hash at its end. */
export function assembleBlock(
  options: ResolvedOptions,
  keys: readonly NodeKey[],
  contents: BlockContents,
): { block: SimulatedBlock; endHash: Uint8Array } {
  const instant = fileInstant(contents.first)
  const endHash = runningHashOver(contents.startHash, contents.items)
  const sidecar = buildSidecar(contents.sidecars)
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
  const signatures = keys.map(
    (key, node): SimulatedFile => ({
      path: `${nodeFolder(node)}/${instant}.rcd_sig`,
      bytes: buildSignatureFile(...hashes, key),
    }),
  )
  const block: SimulatedBlock = {
    name: `${instant}.rcd.gz`,
    number: contents.number,
    transactionCount: contents.items.length,
    size: data.length,
    files: [...dataFiles, ...signatures],
  }
  return { block, endHash }
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
