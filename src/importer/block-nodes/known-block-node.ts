import type { BlockNodeEndpoint, BlockNodeEndpoints } from '#src/ports/block-node.ts'

/** A block node that somebody named: an operator, or the ledger, where nodes are registered. */
export interface KnownBlockNode {
  readonly endpoints: BlockNodeEndpoints
  /** 0 is best. */
  readonly priority: number
  readonly origin: 'configured' | 'discovered'
  /** Where it is registered, its number. */
  readonly registeredNodeId?: bigint | undefined
}

/** The nodes by what tells them apart: where they stream. A discovered one takes the place of a configured one. */
export function mergeNodes(nodes: readonly KnownBlockNode[]): ReadonlyMap<string, KnownBlockNode> {
  const merged = new Map<string, KnownBlockNode>()
  for (const node of nodes) {
    const key = keyOf(node.endpoints.stream)
    const known = merged.get(key)
    if (known === undefined || (known.origin === 'configured' && node.origin === 'discovered')) merged.set(key, node)
  }
  return merged
}

export function haveSameEndpoints(a: KnownBlockNode, b: KnownBlockNode): boolean {
  return (
    keyOf(a.endpoints.stream) === keyOf(b.endpoints.stream) && keyOf(a.endpoints.status) === keyOf(b.endpoints.status)
  )
}

function keyOf({ host, port, tls }: BlockNodeEndpoint): string {
  return `${host.toLowerCase()} ${port} ${tls}`
}
