import type { CallFailed } from '#src/adapters/block-node/call.ts'
import { nodeFailure } from '#src/adapters/block-node/failure.ts'
import { crumbsText } from '#src/adapters/block-node/grpc-internals.ts'
import { tooLargeText } from '#src/adapters/block-node/message-filter.ts'
import type { LedgerError } from '#src/domain/errors.ts'
import { printableText } from '#src/domain/printable-text.ts'

export const grpcCodes = {
  cancelled: 1,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const

/** The error of a call that ended with another status than OK: the text in it is the node's, or the library's. */
export function failedCall(node: string, error: CallFailed): LedgerError {
  const { status, answered } = error
  const { code, details } = status
  const said = `(${code}: ${printableText(details)})`
  if (code === grpcCodes.resourceExhausted && details.startsWith(tooLargeText)) {
    return nodeFailure(node, 'too_large', `sends a message that is too large ${said}`, error)
  }
  if (details.includes(crumbsText)) return nodeFailure(node, 'protocol', `sends ${crumbsText} ${said}`, error)
  if (code === grpcCodes.unavailable && !answered) {
    return nodeFailure(node, 'unreachable', `cannot be reached ${said}`, error)
  }
  const isCut = code === grpcCodes.unavailable || code === grpcCodes.cancelled || code === grpcCodes.internal
  if (isCut) return nodeFailure(node, 'cut', `ended the call ${said}`, error)
  return nodeFailure(node, 'refused', `refuses the call ${said}`, error)
}
