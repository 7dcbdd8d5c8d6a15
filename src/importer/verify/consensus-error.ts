import { LedgerError } from '#src/domain/errors.ts'
import { dataFileName } from '#src/importer/record/file-name.ts'
import type { Candidate } from '#src/importer/source/candidates.ts'
import { nodeList } from '#src/importer/verify/node-list.ts'
import type { FetchedSignature, SignatureCheck, VerifiedSignature } from '#src/importer/verify/signatures.ts'
import type { Trust } from '#src/importer/verify/trust.ts'

/** Name of the data file that these signatures are about, as far as they could be read. */
export function dataNameOf({ stem, signatures }: Candidate, [first]: readonly FetchedSignature[]): string {
  if (first) return dataFileName(first.object.name, first.signature.version)
  // The stem ends with a mark for listing; which extension the data has is in the signature that cannot be read.
  return dataFileName(signatures[0]?.name ?? `${stem.slice(0, -1)}.rcd_sig`, 0)
}

/** Why a file is not accepted though nodes signed it. */
export function consensusError(file: string, candidate: Candidate, check: SignatureCheck, trust: Trust): LedgerError {
  const { verified, rejected, consensus } = check
  const { have, required } = consensus
  const { total } = trust.weights
  const first = rejected[0]
  const details = {
    file,
    have,
    required,
    total,
    nodes: verified.map(({ nodeId }) => nodeId),
    rejected: rejected.map(({ message }) => message),
  }
  if (verified.length === 0 && first) {
    const nodes = nodeList(candidate.signatures.map(({ nodeId }) => nodeId))
    return new LedgerError(
      first.code,
      `${file}: no signature holds (${nodes}); the first: ${first.message}`,
      { ...details, node: first.details.node, reason: first.details.reason },
      first,
    )
  }
  const counted = greatestOf(verified, trust)
  const signed = counted.length === 0 ? '' : ` (${nodeList(counted)})`
  return new LedgerError(
    'consensus_missing',
    `${file}: signed by ${have} of ${total} stake${signed}, ${required} needed${othersText(candidate, check, trust, counted)}. ` +
      'Bring or wait for the other signatures, check the address book, or accept fewer with --consensus-ratio (0: one valid signature is enough)',
    details,
  )
}

/** Nodes of the one version that has the most stake behind it. */
function greatestOf(verified: readonly VerifiedSignature[], { weights }: Trust): bigint[] {
  const groups = Map.groupBy(verified, ({ signature }) => signature.fileHash.toString('hex'))
  const stakeOf = (nodeIds: readonly bigint[]) => nodeIds.reduce((sum, nodeId) => sum + weights.of(nodeId), 0n)
  return [...groups.values()]
    .map((group) => group.map(({ nodeId }) => nodeId))
    .reduce((best, one) => (best.length === 0 || stakeOf(one) > stakeOf(best) ? one : best), [])
}

/** What became of the voices of all other nodes. */
function othersText(
  { signatures }: Candidate,
  { verified, rejected }: SignatureCheck,
  { nodes }: Trust,
  counted: readonly bigint[],
): string {
  const heard = new Set(signatures.map(({ nodeId }) => nodeId))
  const silent = nodes.map(({ nodeId }) => nodeId).filter((nodeId) => !heard.has(nodeId))
  const otherwise = verified.map(({ nodeId }) => nodeId).filter((nodeId) => !counted.includes(nodeId))
  const parts = [
    ...(silent.length === 0 ? [] : [`no signature of ${nodeList(silent)}`]),
    ...(otherwise.length === 0 ? [] : [`another version signed by ${nodeList(otherwise)}`]),
    ...(rejected.length === 0 ? [] : [`rejected: ${rejected.map(({ message }) => message).join('; ')}`]),
  ]
  return parts.map((part) => `; ${part}`).join('')
}
