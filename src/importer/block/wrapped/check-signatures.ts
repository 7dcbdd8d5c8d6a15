import { LedgerError } from '#src/domain/errors.ts'
import type { WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { findConsensus } from '#src/importer/verify/consensus.ts'
import { nodeList } from '#src/importer/verify/node-list.ts'
import { isSignedBy } from '#src/importer/verify/public-keys.ts'
import type { Trust } from '#src/importer/verify/trust.ts'

/** That a log of blocks alone has nobody to believe about record files, which whoever serves blocks may still put among them. */
export function nobodyKnown(what: string): LedgerError {
  return new LedgerError(
    'consensus_missing',
    `${what}: it wraps a record file, and the log has no address book to check signatures with. Another source is asked; where every one has it like this, begin a log with --address-book`,
    { file: what },
  )
}

/**
 * Ids of the nodes, ascending, whose signatures of the wrapped record file hold: enough of them, by the same rule as for files.
 * Throws `consensus_missing`.
 */
export function checkWrappedSignatures({ file, signatures }: WrappedFile, trust: Trust, what: string): bigint[] {
  const keys = new Map(trust.nodes.map(({ nodeId, key }) => [nodeId, key]))
  const fileHash = file.fileHash.toString('hex')
  const signed = signatures.filter(({ nodeId, signature }) => {
    const key = keys.get(nodeId)
    return key !== undefined && isSignedBy(key, file.fileHash, signature)
  })
  const votes = signed.map(({ nodeId }) => ({ nodeId, fileHash, stake: trust.weights.of(nodeId) }))
  const { agreed, have, required } = findConsensus(votes, trust.weights.total, trust.ratio)
  const nodeIds = [...new Set(signed.map(({ nodeId }) => nodeId))].sort((a, b) => (a < b ? -1 : 1))
  if (agreed.length > 0) return nodeIds
  const names = nodeIds.length === 0 ? '' : ` (${nodeList(nodeIds)})`
  throw new LedgerError(
    'consensus_missing',
    `${what}: of its ${signatures.length} signatures of ${file.name} those that hold have ${have} of ${trust.weights.total} stake${names}, ${required} needed. ` +
      'Another source is asked; check the address book, or accept fewer with --consensus-ratio',
    { file: what, have, required, total: trust.weights.total, nodes: nodeIds },
  )
}
