import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { isVerificationProblem } from '#src/domain/verification/problem.ts'
import { jsonType } from '#src/http/errors.ts'
import type { Logger } from '#src/ports/logger.ts'

/** What a schema says of a request: its own shape, with a place for each mistake. */
export interface SchemaMistake {
  readonly path: string
  readonly message: string
  readonly errorCode?: string
}

/** A request that is not as it has to be, told with all that is wrong with it. */
export class MalformedRequest extends Error {
  readonly status: number
  readonly mistakes: readonly SchemaMistake[]

  constructor(status: number, message: string, mistakes: readonly SchemaMistake[]) {
    super(message)
    this.name = 'MalformedRequest'
    this.status = status
    this.mistakes = mistakes
  }
}

export function notThere(message: string): Error {
  return Object.assign(new Error(message), { statusCode: 404 })
}

interface Told {
  readonly status: number
  readonly body: object
  readonly retryAfterSeconds?: number | undefined
}

/** Two shapes: what a schema refuses has `errors`; everything else says its text twice, as clients of either age read it. */
export function sendVerificationError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const { status, body, retryAfterSeconds } = toldOf(error, request)
  if (status >= 500 && !isVerificationProblem(error))
    logger.error(
      { requestId: request.id, method: request.method, route: request.routeOptions.url, err: error },
      'verification failed',
    )
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(status).header('content-type', jsonType).header('cache-control', 'no-store').send(body)
}

function toldOf(error: unknown, request: FastifyRequest): Told {
  if (error instanceof MalformedRequest)
    return { status: error.status, body: { message: error.message, errors: error.mistakes } }
  if (isVerificationProblem(error)) {
    const { retryAfterSeconds, ...details } = error.details
    if (error.code === 'still_running')
      return {
        status: error.status,
        body: { message: error.message, ...details, isJobCompleted: false },
        retryAfterSeconds,
      }
    return { status: error.status, body: { ...saying(error.message, error.code), ...details }, retryAfterSeconds }
  }
  if (isLedgerError(error)) return ofCatalogue(error)
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 415) return unsupportedMedia(request)
  if (status >= 400 && status < 500) return { status, body: saying((error as Error).message) }
  return { status: 500, body: saying('Internal error', 'internal') }
}

/** What is of our own machines stays in the log. */
function ofCatalogue({ code, message }: { code: keyof typeof errorCatalogue; message: string }): Told {
  const { status, disposition } = errorCatalogue[code]
  if (status < 500 || code === 'filling') return { status, body: saying(message, code), retryAfterSeconds: undefined }
  const text = disposition === 'retry' ? 'Nothing can be told at the moment, try again' : 'Internal error'
  return { status, body: saying(text, code), retryAfterSeconds: disposition === 'retry' ? 1 : undefined }
}

function saying(text: string, code?: string) {
  return { error: text, message: text, ...(code !== undefined && { code }) }
}

function unsupportedMedia({ headers, url }: FastifyRequest): Told {
  const message = `unsupported media type ${headers['content-type'] ?? ''}`
  const [path = ''] = url.split('?')
  return { status: 415, body: { message, errors: [{ path, message }] } }
}
