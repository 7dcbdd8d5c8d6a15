import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { dataFileName } from '#src/importer/record/file-name.ts'
import { readSignatureFile, type SignatureFile } from '#src/importer/record/signature-file.ts'
import type { Candidate, SignatureObject } from '#src/importer/source/candidates.ts'
import { type Agreement, type ConsensusResult, findConsensus, type Vote } from '#src/importer/verify/consensus.ts'
import { isSignedBy } from '#src/importer/verify/public-keys.ts'
import type { Trust, TrustedNode } from '#src/importer/verify/trust.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

/** A signature that was verified: this node vouches for this hash. */
export interface VerifiedSignature {
  readonly nodeId: bigint
  readonly folder: string
  readonly dataName: string
  /** Whether the data file was listed beside the signature. */
  readonly hasData: boolean
  readonly signature: SignatureFile
}

export interface SignatureCheck {
  readonly verified: readonly VerifiedSignature[]
  /** Signatures that were not counted, and why. */
  readonly rejected: readonly LedgerError[]
  readonly consensus: ConsensusResult
}

export interface FetchedSignature {
  readonly object: SignatureObject
  readonly signature: SignatureFile
}

/** Fetches and reads the signatures of a file; what cannot be read is rejected. */
export async function fetchSignatures(
  source: StreamSource,
  candidate: Candidate,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<{ fetched: FetchedSignature[]; rejected: LedgerError[] }> {
  const outcomes = await Promise.all(
    candidate.signatures.map((object) => fetchSignature(source, object, bytesMax, signal).catch(ledgerErrorOnly)),
  )
  const fetched: FetchedSignature[] = []
  const rejected: LedgerError[] = []
  for (const outcome of outcomes) {
    if (outcome instanceof LedgerError) rejected.push(outcome)
    else fetched.push(outcome)
  }
  return { fetched, rejected }
}

async function fetchSignature(
  source: StreamSource,
  object: SignatureObject,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<FetchedSignature> {
  const { nodeId, folder, name } = object
  const bytes = await source.fetch(`${folder}/${name}`, { bytesMax, signal })
  // One that is still being copied comes as an empty file first.
  if (!bytes || bytes.length === 0) throw fileMissing(name, nodeId)
  return { object, signature: readSignatureFile(`${name} of node ${nodeId}`, bytes) }
}

/** An operational failure as a value; anything else is a mistake of ours and goes on. */
export function ledgerErrorOnly(error: unknown): LedgerError {
  if (isLedgerError(error)) return error
  throw error
}

export function fileMissing(name: string, nodeId: bigint): LedgerError {
  return new LedgerError(
    'file_missing',
    `${name} is not in the folder of node ${nodeId}, although it is listed or signed. Another node's copy is used; if there is none, wait until it is uploaded`,
    { file: name, node: nodeId, reason: 'missing' },
  )
}

/** Verifies signatures against the keys of the nodes and finds out which hash enough stake agrees on. */
export function checkSignatures(
  fetched: readonly FetchedSignature[],
  trust: Trust,
  checks: 'all' | 'enough',
): SignatureCheck {
  const nodes = new Map(trust.nodes.map((node) => [node.nodeId, node]))
  const verified: VerifiedSignature[] = []
  const rejected: LedgerError[] = []
  const votes: Vote[] = []
  let consensus = findConsensus(votes, trust.weights.total, trust.ratio)
  for (const { object, signature } of fetched) {
    const { nodeId, folder, name, dataSize } = object
    const problem = signatureProblem(name, nodeId, signature, nodes.get(nodeId))
    if (problem) {
      rejected.push(problem)
      continue
    }
    const dataName = dataFileName(name, signature.version)
    verified.push({ nodeId, folder, hasData: dataSize !== undefined, dataName, signature })
    votes.push({ nodeId, fileHash: signature.fileHash.toString('hex'), stake: trust.weights.of(nodeId) })
    if (checks === 'all') continue
    consensus = findConsensus(votes, trust.weights.total, trust.ratio)
    if (consensus.agreed.length > 0) return { verified, rejected, consensus }
  }
  return { verified, rejected, consensus: findConsensus(votes, trust.weights.total, trust.ratio) }
}

function signatureProblem(
  name: string,
  nodeId: bigint,
  signature: SignatureFile,
  node: TrustedNode | undefined,
): LedgerError | undefined {
  if (!node?.key) return invalid(name, nodeId, 'the address book has no usable key of the node')
  const { fileHash, fileSignature, metadataHash, metadataSignature } = signature
  if (!isSignedBy(node.key, fileHash, fileSignature)) {
    return invalid(name, nodeId, 'its file signature does not fit the key of the node')
  }
  if (metadataHash && metadataSignature && !isSignedBy(node.key, metadataHash, metadataSignature)) {
    return invalid(name, nodeId, 'its metadata signature does not fit the key of the node')
  }
  return undefined
}

function invalid(name: string, nodeId: bigint, reason: string): LedgerError {
  return new LedgerError(
    'signature_invalid',
    `${name} of node ${nodeId}: ${reason}. Check that the address book is the one of this network and time`,
    { file: name, node: nodeId, reason },
  )
}

/** Verified signatures of the nodes of one agreement. */
export function signersOf({ fileHash }: Agreement, verified: readonly VerifiedSignature[]): VerifiedSignature[] {
  return verified.filter(({ signature }) => signature.fileHash.toString('hex') === fileHash)
}
