import { LedgerError } from '#src/domain/errors.ts'
import { dataFileName, parseStreamFileName, sidecarFileName } from '#src/importer/record/file-name.ts'
import { invalidName } from '#src/importer/record/malformed.ts'
import { readUnpackedFile } from '#src/importer/record/read-unpacked-file.ts'
import type { RecordFile, SidecarMetadata } from '#src/importer/record/record-file.ts'
import { runningHashHolds } from '#src/importer/record/running-hash.ts'
import { checkSidecar, recordsOfTypes, unpackSidecar } from '#src/importer/record/sidecar-file.ts'
import { unpackRecordFile } from '#src/importer/record/unpack-record-file.ts'
import { fileMissing, type VerifiedSignature } from '#src/importer/verify/signatures.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

export interface CopyOptions {
  readonly source: StreamSource
  readonly fileBytesMax: number
  /** Types of sidecar records to read; none: sidecars are not fetched. */
  readonly sidecarTypes: ReadonlySet<number>
  readonly signal?: AbortSignal | undefined
}

/** A record file that fits its signatures, with its sidecars. */
export interface FileCopy {
  readonly file: RecordFile
  readonly sourceNodeId: bigint
  /** Serialized TransactionSidecarRecord messages of the wanted types. */
  readonly sidecarRecords: readonly Buffer[]
}

/** The first item may precede the instant in the name: children that run before their parent have earlier times. */
const nameLeadMax = 1_000_000n

/** Fetches one node's copy of a file and proves that it is what was signed. Any failure is a LedgerError naming the node. */
export async function fetchCopy(signer: VerifiedSignature, options: CopyOptions): Promise<FileCopy> {
  const { nodeId, folder, dataName, signature } = signer
  const { source, fileBytesMax, sidecarTypes, signal } = options
  const bytes = await source.fetch(`${folder}/${dataName}`, { bytesMax: fileBytesMax, signal })
  if (!bytes) throw fileMissing(dataName, nodeId)
  const unpacked = unpackRecordFile(dataName, bytes)
  // First of all: only bytes that nodes have signed are worth the memory that reading them takes.
  checkHash(dataName, nodeId, 'file hash', unpacked.fileHash, signature.fileHash)
  // The name is not signed, but what it has to end with follows from what is.
  const expected = dataFileName(dataName, unpacked.version)
  if (expected !== dataName)
    throw invalidName(dataName, `a file of version ${unpacked.version} is named ${expected}`, nodeId)
  const file = readUnpackedFile(unpacked)
  if (signature.metadataHash) {
    checkHash(dataName, nodeId, 'metadata hash', file.metadataHash, signature.metadataHash)
  }
  if (!runningHashHolds(file)) throw hashMismatch(file.name, nodeId, 'its items do not lead to its end running hash')
  checkName(file, nodeId)
  const sidecars = sidecarTypes.size === 0 ? [] : file.sidecars.filter((one) => isWanted(one, sidecarTypes))
  const records = await Promise.all(sidecars.map((metadata) => fetchSidecar(signer, metadata, options)))
  return { file, sourceNodeId: nodeId, sidecarRecords: records.flat() }
}

function checkHash(name: string, nodeId: bigint, what: string, found: Buffer | undefined, signed: Buffer): void {
  if (found?.equals(signed)) return
  const hash = found === undefined ? 'missing' : found.toString('hex')
  throw hashMismatch(name, nodeId, `its ${what} is ${hash}, the signed one ${signed.toString('hex')}`)
}

function hashMismatch(name: string, nodeId: bigint, reason: string): LedgerError {
  return new LedgerError(
    'hash_mismatch',
    `${name} of node ${nodeId}: ${reason}. Another node's copy is used; if every copy is like this, the publisher has to correct it`,
    { file: name, node: nodeId, reason },
  )
}

function checkName(file: RecordFile, nodeId: bigint): void {
  const instant = parseStreamFileName(file.name)?.instant ?? 0n
  const lead = instant - file.consensusStart
  if (lead >= 0n && lead < nameLeadMax) return
  throw invalidName(
    file.name,
    `its first transaction is of ${file.consensusStart} ns, its name says ${instant} ns`,
    nodeId,
  )
}

function isWanted({ types }: SidecarMetadata, wanted: ReadonlySet<number>): boolean {
  return types.some((type) => wanted.has(type))
}

async function fetchSidecar(
  { nodeId, folder, dataName }: VerifiedSignature,
  metadata: SidecarMetadata,
  { source, fileBytesMax, sidecarTypes, signal }: CopyOptions,
): Promise<Buffer[]> {
  const name = sidecarFileName(dataName, metadata.id)
  const bytes = await source.fetch(`${folder}/sidecar/${name}`, { bytesMax: fileBytesMax, signal })
  if (!bytes) throw fileMissing(name, nodeId)
  const sidecar = unpackSidecar(name, bytes)
  checkSidecar(sidecar, metadata)
  return recordsOfTypes(sidecar, sidecarTypes)
}

/** The same error, saying which node's copy it is about. */
export function ofNode(error: LedgerError, nodeId: bigint): LedgerError {
  if (error.details.node !== undefined) return error
  return new LedgerError(
    error.code,
    `Copy of node ${nodeId}: ${error.message}`,
    { ...error.details, node: nodeId },
    error,
  )
}
