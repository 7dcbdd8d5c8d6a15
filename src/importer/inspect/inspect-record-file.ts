import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { versionText } from '#src/domain/semantic-version.ts'
import { type Counts, countItems } from '#src/importer/inspect/transaction-counts.ts'
import { fails, holds, unchecked, type Verdict } from '#src/importer/inspect/verdict.ts'
import { parseStreamFileName, type StreamFileName } from '#src/importer/record/file-name.ts'
import { gunzip, isGzip } from '#src/importer/record/gunzip.ts'
import { timeOf } from '#src/importer/record/items.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import { readUnpackedFile } from '#src/importer/record/read-unpacked-file.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'
import { unpackedFile } from '#src/importer/record/unpack-record-file.ts'

/** What a record file says. Hashes are hex; times are ns. */
export interface RecordFacts {
  readonly name: string
  readonly version: number
  readonly hapiVersion: string | null
  /** Only version 6 carries it. */
  readonly blockNumber: bigint | null
  readonly size: number
  readonly sizeUnpacked: number
  /** By which the next file names it. */
  readonly hash: string
  readonly previousHash: string
  /** What signatures cover. */
  readonly fileHash: string
  readonly metadataHash: string | null
  readonly consensusStart: bigint
  readonly consensusEnd: bigint
  readonly count: number
  readonly transactions: Counts
  readonly sidecars: readonly { readonly id: number; readonly types: readonly number[]; readonly hash: string }[]
  /** Whether the items lead to the hash that the file ends with. */
  readonly runningHash: Verdict
}

export function recordFacts(file: RecordFile): RecordFacts {
  const { name, version, hapiVersion, blockNumber, size, sizeUnpacked, items, metadataHash } = file
  return {
    name,
    version,
    hapiVersion: hapiVersion === undefined ? null : versionText(hapiVersion),
    blockNumber: blockNumber ?? null,
    size,
    sizeUnpacked,
    hash: file.chainHash.toString('hex'),
    previousHash: file.previousHash.toString('hex'),
    fileHash: file.fileHash.toString('hex'),
    metadataHash: metadataHash?.toString('hex') ?? null,
    ...spanOf(file),
    count: items.length,
    transactions: countItems(items),
    sidecars: file.sidecars.map(({ id, types, hash }) => ({ id, types, hash: hash.toString('hex') })),
    runningHash: runningHashVerdict(file),
  }
}

function runningHashVerdict(file: RecordFile): Verdict {
  if (file.version < 5) return unchecked(`files of version ${file.version} have none`)
  return runningHashHolds(file) ? holds : fails('the items do not lead to it')
}

/** Reads a record file of any name, packed or not. Throws `file_malformed`. */
export function readRecordFile(name: string, bytes: Buffer): RecordFile {
  const compressed = isGzip(bytes)
  const content = compressed ? gunzip(bytes, (reason, cause) => malformed(name, reason, cause)) : bytes
  // In a file without items the name tells the time.
  const instant = parseStreamFileName(name)?.instant ?? (0n as LedgerTime)
  const file: StreamFileName = { name, kind: 'record', instant, sidecarId: undefined, compressed }
  return readUnpackedFile(unpackedFile(file, bytes.length, content))
}

/** Over all items, which in some files of the past are not in the order of consensus. */
function spanOf({ name, items, consensusStart, consensusEnd }: RecordFile) {
  const times = items.map((item) => timeOf(item, (reason) => malformed(name, reason)))
  const earlier = (a: bigint, b: bigint) => (b < a ? b : a)
  const later = (a: bigint, b: bigint) => (b > a ? b : a)
  return { consensusStart: times.reduce(earlier, consensusStart), consensusEnd: times.reduce(later, consensusEnd) }
}
