/** A share as an exact fraction: `numerator` of `denominator`. */
export interface ConsensusRatio {
  readonly numerator: bigint
  readonly denominator: bigint
}

const scale = 10n ** 19n

/** One third with 19 digits, rounded down, so that exactly one third of the stake is enough. */
export const defaultConsensusRatio: ConsensusRatio = { numerator: scale / 3n, denominator: scale }

/** Least stake that makes a group agree: the share of the total, rounded up. */
export function requiredStake(total: bigint, { numerator, denominator }: ConsensusRatio): bigint {
  return (total * numerator + denominator - 1n) / denominator
}

export interface Vote {
  readonly nodeId: bigint
  /** Hash of the file that the node signed, as hex text. */
  readonly fileHash: string
  readonly stake: bigint
}

export interface Agreement {
  readonly fileHash: string
  readonly nodeIds: readonly bigint[]
  readonly stake: bigint
}

export interface ConsensusResult {
  readonly required: bigint
  /** The greatest stake behind one hash, whether enough or not. */
  readonly have: bigint
  /** Groups with enough stake, greatest first. */
  readonly agreed: readonly Agreement[]
}

/** Groups verified votes by hash; of a node only the first counts. With the ratio 0 any single vote is enough. */
export function findConsensus(votes: readonly Vote[], total: bigint, ratio: ConsensusRatio): ConsensusResult {
  const required = requiredStake(total, ratio)
  const groups = [...groupByHash(votes)].sort((a, b) => (a.stake > b.stake ? -1 : a.stake < b.stake ? 1 : 0))
  const agreed = total > 0n || ratio.numerator === 0n ? groups.filter(({ stake }) => stake >= required) : []
  return { required, have: groups[0]?.stake ?? 0n, agreed }
}

function groupByHash(votes: readonly Vote[]): Iterable<Agreement> {
  const groups = new Map<string, { fileHash: string; nodeIds: bigint[]; stake: bigint }>()
  const voters = new Set<bigint>()
  for (const { fileHash, nodeId, stake } of votes) {
    if (voters.has(nodeId)) continue
    voters.add(nodeId)
    const group = groups.get(fileHash) ?? { fileHash, nodeIds: [], stake: 0n }
    group.nodeIds.push(nodeId)
    group.stake += stake
    groups.set(fileHash, group)
  }
  return groups.values()
}
