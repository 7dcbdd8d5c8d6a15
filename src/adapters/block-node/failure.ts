import { LedgerError } from '#src/domain/errors.ts'
import type { BlockNodeReason } from '#src/ports/block-node.ts'

const nextSteps: Readonly<Record<BlockNodeReason, string>> = {
  unreachable: 'check its host, its port and whether it wants TLS, or leave it out',
  timeout: 'another node is asked; if it is only slow, allow it more time',
  refused: 'another node is asked; if all refuse, look at what is asked of them',
  protocol: 'another node is asked; tell whoever runs it, or leave it out',
  too_large: 'another node is asked; if the network writes such blocks, raise the limit',
  cut: 'another node is asked',
}

/** The error of a node. `what` goes on after its name and holds no text of the node that was not made printable. */
export function nodeFailure(node: string, reason: BlockNodeReason, what: string, cause?: unknown): LedgerError {
  return new LedgerError(
    'source_unavailable',
    `Block node ${node} ${what}; ${nextSteps[reason]}`,
    { node, reason },
    cause,
  )
}
