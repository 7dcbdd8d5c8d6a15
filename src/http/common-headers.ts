import type { FastifyReply, FastifyRequest } from 'fastify'
import { freshnessHeader } from '#src/http/freshness.ts'

export const requestIdHeader = 'Request-Id'

/** What every answer says, whoever asked. */
export const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `Link, ${freshnessHeader}, ${requestIdHeader}`,
} as const

export function sayHeaders({ id }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(commonHeaders).header(requestIdHeader, id)
}
