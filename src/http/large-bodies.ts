import { finished } from 'node:stream'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { LedgerError } from '#src/domain/errors.ts'

/** Reading one takes a thread longer than most answers do. */
const largeBytes = 64 << 10
const retryAfterSeconds = 1

/** Also where nobody says how much there is. */
export function hasLargeBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > largeBytes
}

/**
 * Bounds the requests with large bodies from their first byte to their answer: each of them takes several times its body in memory.
 * What comes beyond is refused before its body is read.
 */
export function boundLargeBodies(atOnceMax: number): onRequestAsyncHookHandler {
  let atOnce = 0
  return async (request, reply) => {
    if (!hasLargeBody(request)) return
    if (atOnce >= atOnceMax) {
      // Closed while the client still sends, the connection would be reset, and the answer lost.
      reply.raw.shouldKeepAlive = true
      throw new LedgerError('overloaded', 'Too many large requests are being answered', { retryAfterSeconds })
    }
    atOnce += 1
    finished(reply.raw, () => (atOnce -= 1))
  }
}
