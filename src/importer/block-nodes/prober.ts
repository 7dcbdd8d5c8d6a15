import type { BlockFeed } from '#src/importer/block-nodes/block-feed.ts'
import { nodeToProbe } from '#src/importer/block-nodes/faster-node.ts'
import type { FollowedNode } from '#src/importer/block-nodes/followed-node.ts'
import type { BlockNodesSettings } from '#src/importer/block-nodes/settings.ts'
import type { Clock } from '#src/ports/clock.ts'

export interface ProberOptions {
  readonly feed: BlockFeed
  readonly nodes: () => readonly FollowedNode[]
  readonly settings: BlockNodesSettings
  readonly clock: Clock
  /** Waits so many milliseconds, or until the signal is aborted. */
  readonly rest: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** From 0 to below 1. */
  readonly random: () => number
  readonly signal: AbortSignal
}

/** While a feed runs, looks at the other nodes that could serve it better: one at a time, one block each. Never rejects. */
export async function probeWhile(options: ProberOptions): Promise<void> {
  const { feed, nodes, settings, clock, rest, random, signal } = options
  const { probePauseMinMs, probePauseMaxMs } = settings
  while (!signal.aborted) {
    await rest(probePauseMinMs + random() * (probePauseMaxMs - probePauseMinMs), signal)
    const { current, position } = feed
    if (signal.aborted || current === undefined || position === undefined) continue
    const node = nodeToProbe(current, nodes(), clock.now())
    if (node) await probe(node, position, options)
  }
}

/** Asks for the block that is to come next: what is there already would only tell its age. */
async function probe(node: FollowedNode, number: bigint, options: ProberOptions): Promise<void> {
  const { feed, settings, clock, rest, signal } = options
  node.probedAt = clock.now()
  const done = new AbortController()
  const late = new AbortController()
  void rest(settings.probeTimeoutMs, AbortSignal.any([done.signal, signal])).then(() => late.abort())
  const ending = AbortSignal.any([late.signal, signal, node.gone.signal])
  try {
    for await (const block of node.client.subscribe({ from: number, through: number, signal: ending })) {
      node.latency.add(block, clock.now())
      node.provedAt = clock.now()
    }
  } catch (error) {
    if (!ending.aborted) node.note(error, clock.now())
    const isLate = late.signal.aborted && feed.position !== undefined && feed.position > number
    if (isLate || !ending.aborted) forget(node)
  } finally {
    done.abort()
  }
}

/** What was measured before no longer holds. */
function forget(node: FollowedNode): void {
  node.latency.clear()
  node.provedAt = Number.NEGATIVE_INFINITY
}
