import type { FollowedNode } from '#src/importer/block-nodes/followed-node.ts'

/** Latency of a node of which nothing recent is known: it comes last. */
const unknownMs = Number.POSITIVE_INFINITY

export function latencyMsOf(node: FollowedNode, now: number): number {
  return node.latency.at(now) ?? unknownMs
}

/**
 * The order in which nodes are asked for a block: groups of equals, the best first. Nodes that failed for that very
 * block come last, before them those that are set aside; otherwise the priority counts. In a group the fastest is first.
 */
export function groupsOf(nodes: readonly FollowedNode[], wanted: bigint | undefined, now: number): FollowedNode[][] {
  const groups = new Map<string, { rank: readonly number[]; nodes: FollowedNode[] }>()
  for (const node of nodes) {
    const hasFailed = wanted !== undefined && node.failedFor === wanted
    const rank = [Number(hasFailed), Number(!node.isActive(now)), node.known.priority]
    const group = groups.get(rank.join()) ?? { rank, nodes: [] }
    groups.set(rank.join(), group)
    group.nodes.push(node)
  }
  const sorted = [...groups.values()].sort((a, b) => compareAll(a.rank, b.rank))
  return sorted.map((group) => group.nodes.sort((a, b) => compareEquals(a, b, now)))
}

function compareEquals(a: FollowedNode, b: FollowedNode, now: number): number {
  const [aMs, bMs] = [latencyMsOf(a, now), latencyMsOf(b, now)]
  if (aMs !== bMs) return aMs - bMs
  const { stream: one } = a.known.endpoints
  const { stream: other } = b.known.endpoints
  if (one.host !== other.host) return one.host < other.host ? -1 : 1
  return compareAll([one.port, Number(one.tls)], [other.port, Number(other.tls)])
}

function compareAll(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number)
}
