import type { LedgerTime } from '#src/domain/ledger-time.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'

/** One transaction with its record, as slices of the file: exactly the bytes that were hashed and signed. */
export interface RecordItem {
  readonly transaction: Buffer
  readonly record: Buffer
}

export interface SidecarMetadata {
  /** 1 to 99; the two digits in the name of the sidecar file. */
  readonly id: number
  /** SHA-384 of the unpacked sidecar file. */
  readonly hash: Buffer
  /** 1 contract state change, 2 contract action, 3 contract bytecode. */
  readonly types: readonly number[]
}

export type RecordFormat = 1 | 2 | 5 | 6

/** What a record file says, whatever its version. Nothing of it is verified against signatures yet. */
export interface RecordFile {
  readonly name: string
  readonly version: RecordFormat
  /** Bytes as stored (packed for version 6) and unpacked. */
  readonly size: number
  readonly sizeUnpacked: number
  /** Consensus time (ns) of the first and last item; the instant in the name when there is none. */
  readonly consensusStart: LedgerTime
  readonly consensusEnd: LedgerTime
  readonly items: readonly RecordItem[]
  /** What the file signature covers. */
  readonly fileHash: Buffer
  /** What the metadata signature covers; none before version 5. */
  readonly metadataHash: Buffer | undefined
  /** What the next file has to name as its previous hash: file hash before version 5, end running hash from then on. */
  readonly chainHash: Buffer
  readonly previousHash: Buffer
  /** Unknown before version 5. */
  readonly hapiVersion: SemanticVersion | undefined
  /** Only version 6 carries it; a signed 64-bit integer. */
  readonly blockNumber: bigint | undefined
  readonly sidecars: readonly SidecarMetadata[]
}
