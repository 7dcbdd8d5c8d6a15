import { LedgerError } from '#src/domain/errors.ts'
import type { Candidate } from '#src/importer/source/candidates.ts'
import { consensusError, dataNameOf } from '#src/importer/verify/consensus-error.ts'
import { type CopyOptions, type FileCopy, fetchCopy, ofNode } from '#src/importer/verify/file-copy.ts'
import { noCopyError } from '#src/importer/verify/no-copy.ts'
import {
  checkSignatures,
  fetchSignatures,
  ledgerErrorOnly,
  signersOf,
  type VerifiedSignature,
} from '#src/importer/verify/signatures.ts'
import type { Trust } from '#src/importer/verify/trust.ts'

export interface VerifyOptions extends CopyOptions {
  readonly signatureBytesMax: number
  /** all: every signature found is verified and recorded. enough: only as many as the required stake needs. */
  readonly signatureChecks: 'all' | 'enough'
}

/** Files that enough nodes agree on; almost always one. What is left to check is the chain, which needs the block before. */
export interface VerifiedFile extends FileCopy {
  /** Node ids whose signatures of exactly this file were verified, ascending. */
  readonly signedBy: readonly bigint[]
}

export interface Verification {
  readonly candidate: Candidate
  /** Version of the trust that it was verified with. */
  readonly trustVersion: number
  /** One per agreement that has a good copy; empty when the file is not accepted. */
  readonly files: readonly VerifiedFile[]
  /** Why there is none. */
  readonly error: LedgerError | undefined
  /** Bad signatures and copies that did not matter in the end. */
  readonly warnings: readonly LedgerError[]
  /** The verdict of an earlier look, taken over. */
  readonly recalled?: true
}

/** Does everything for one file that does not depend on the file before it. Operational failures are in the result. */
export async function verifyFile(candidate: Candidate, trust: Trust, options: VerifyOptions): Promise<Verification> {
  const outcome = { candidate, trustVersion: trust.version }
  const { source, signatureBytesMax, signatureChecks, signal } = options
  const { fetched, rejected: unread } = await fetchSignatures(source, candidate, signatureBytesMax, signal)
  const check = checkSignatures(fetched, trust, signatureChecks)
  const rejected = [...unread, ...check.rejected]
  const dataName = dataNameOf(candidate, fetched)
  if (check.consensus.agreed.length === 0) {
    const error = consensusError(dataName, candidate, { ...check, rejected }, trust)
    return { ...outcome, files: [], error, warnings: [] }
  }
  const files: VerifiedFile[] = []
  const bad: LedgerError[] = []
  for (const agreement of check.consensus.agreed) {
    const signers = signersOf(agreement, check.verified)
    const copy = await firstGoodCopy(signers, options, bad)
    if (copy) files.push({ ...copy, signedBy: signers.map(({ nodeId }) => nodeId) })
  }
  if (files.length === 0 && signatureChecks === 'enough') {
    // The nodes that were enough have no good copy; another one may have.
    return verifyFile(candidate, trust, { ...options, signatureChecks: 'all' })
  }
  const warnings = [...rejected, ...bad]
  return files.length > 0
    ? { ...outcome, files, error: undefined, warnings }
    : { ...outcome, files, error: noCopyError(bad, dataName), warnings: rejected }
}

async function firstGoodCopy(
  signers: readonly VerifiedSignature[],
  options: VerifyOptions,
  bad: LedgerError[],
): Promise<FileCopy | undefined> {
  for (const signer of inTurn(signers)) {
    const copy = await fetchCopy(signer, options).catch(ledgerErrorOnly)
    if (!(copy instanceof LedgerError)) return copy
    bad.push(ofNode(copy, signer.nodeId))
  }
  return undefined
}

/**
 * Spreads the downloads over the nodes, but always the same way: the hash decides who comes first. A node whose data was
 * not listed comes last; it may have arrived since.
 */
function inTurn(signers: readonly VerifiedSignature[]): VerifiedSignature[] {
  const listed = signers.filter(({ hasData }) => hasData)
  const others = signers.filter(({ hasData }) => !hasData)
  const start = (signers[0]?.signature.fileHash.at(-1) ?? 0) % Math.max(1, listed.length)
  return [...listed.slice(start), ...listed.slice(0, start), ...others]
}
