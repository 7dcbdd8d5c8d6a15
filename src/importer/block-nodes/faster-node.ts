import type { FollowedNode } from '#src/importer/block-nodes/followed-node.ts'
import { groupsOf, latencyMsOf } from '#src/importer/block-nodes/order.ts'
import type { BlockNodesSettings } from '#src/importer/block-nodes/settings.ts'

/**
 * The node that a stream should move to, if any: an active one of better priority that lately gave a block, or one of the
 * same priority that is faster by enough to be worth it.
 */
export function fasterNode(
  current: FollowedNode,
  others: readonly FollowedNode[],
  settings: BlockNodesSettings,
  now: number,
): FollowedNode | undefined {
  const [best] = groupsOf(
    others.filter((node) => node.isActive(now) && isBetter(node, current, settings, now)),
    undefined,
    now,
  )
  return best?.[0]
}

function isBetter(node: FollowedNode, current: FollowedNode, settings: BlockNodesSettings, now: number): boolean {
  const { priority } = node.known
  const isProved = now - node.provedAt <= settings.latencyAgeMsMax
  if (priority !== current.known.priority) return priority < current.known.priority && isProved
  // Nothing is gained on a node of which nothing is known.
  return isProved && latencyMsOf(current, now) - latencyMsOf(node, now) >= settings.moveGainMs
}

/** The node to look at next: one that could be better, and was not looked at for the longest time. */
export function nodeToProbe(
  current: FollowedNode,
  nodes: readonly FollowedNode[],
  now: number,
): FollowedNode | undefined {
  // Far behind, blocks come as fast as they are taken, and no node is faster than another.
  const isLive = current.latency.at(now) !== undefined
  const candidates = nodes.filter((node) => {
    const { priority } = node.known
    const isOfUse = priority < current.known.priority || (isLive && priority === current.known.priority)
    return node !== current && isOfUse && node.isActive(now)
  })
  return candidates.sort((a, b) => a.probedAt - b.probedAt)[0]
}
