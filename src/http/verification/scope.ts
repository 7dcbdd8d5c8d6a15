import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ClientOf } from '#src/http/client-address.ts'
import { documentErrors, errorProperties } from '#src/http/verification/answers.ts'
import { sendVerificationError } from '#src/http/verification/errors.ts'
import type { RequestRate } from '#src/http/verification/request-rate.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import type { Logger } from '#src/ports/logger.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers OPTIONS itself: not every origin may send what it is about. */
    readonly ownPreflight?: boolean
  }
}

/** Callers of these send a few names; those who send sources say so. */
export const fewBytesMax = 64 << 10
export const sourcesBytesMax = 10 << 20

/** JSON alone is read, and told in the words of the parser where it is none. */
export function prepareScope(scope: FastifyInstance, logger: Logger): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string))
    } catch (error) {
      done(Object.assign(new Error((error as Error).message), { statusCode: 400 }))
    }
  })
  // Clients of browsers name this type where they send nothing at all.
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined)
    else done(Object.assign(new Error('Forms are not read'), { statusCode: 415 }))
  })
  documentErrors(scope, errorProperties)
  scope.setErrorHandler((error, request, reply) => sendVerificationError(error, request, reply, logger))
}

export interface LimitOptions {
  readonly rate: RequestRate
  readonly clientOf: ClientOf
}

/** Of those who verify too often: says so, and what is left. */
export function limitRequests({ rate, clientOf }: LimitOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const told = rate.take(clientOf(request.raw))
    if (told === undefined) return undefined
    reply.headers({
      'ratelimit-limit': String(told.limit),
      'ratelimit-remaining': String(told.remaining),
      'ratelimit-reset': '1',
    })
    if (!told.isOver) return undefined
    const message = 'You are sending too many verification requests, please slow down.'
    return reply.code(429).header('retry-after', '1').send({ error: message, message, code: 'too_many_requests' })
  }
}

/** Who uses a session from another origin has to be known; whoever else may not change one. */
export function guardOrigin({ origins }: Pick<VerificationHttpSettings, 'origins'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { origin, host } = request.headers
    reply.removeHeader('access-control-allow-origin')
    reply.header('vary', 'Origin')
    if (origin === undefined) return undefined
    if (origins.includes(origin)) {
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
      return undefined
    }
    if (isSameHost(origin, host) || request.method === 'GET') return undefined
    const message = `Pages of ${origin.slice(0, 200)} may not use sessions here`
    return reply.code(403).send({ error: message, message })
  }
}

function isSameHost(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}

/** What a browser asks before it sends JSON with credentials. */
export function addSessionPreflight(scope: FastifyInstance, url: string, settings: VerificationHttpSettings): void {
  scope.route({
    method: 'OPTIONS',
    url,
    schema: { hide: true },
    config: { ownPreflight: true },
    onRequest: guardOrigin({ ...settings }),
    handler: async (_request, reply) =>
      reply
        .code(204)
        .headers({ 'access-control-allow-methods': 'GET,POST', 'access-control-allow-headers': 'Content-Type' })
        .send(),
  })
}
