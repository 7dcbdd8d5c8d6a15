import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorMessage } from '#queries/common/errors.ts'
import { errorBody, messagesOf } from '#queries/common/errors.ts'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'

export const jsonType = 'application/json; charset=utf-8'
export const requestIdHeader = 'Request-Id'

interface ErrorAnswer {
  readonly status: number
  readonly messages: readonly ErrorMessage[]
}

const internal: ErrorAnswer = { status: 500, messages: [{ message: 'Internal error' }] }
const unavailable: ErrorAnswer = { status: 503, messages: [{ message: 'Service unavailable' }] }

/** The one place that turns an error into an answer. What a client can't mend stays in the log, under the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): FastifyReply {
  const { status, messages } = answerTo(error)
  if (status >= 500) logFailure(error, status, request, logger)
  reply.code(status).header('content-type', jsonType)
  if (status === 401) reply.header('www-authenticate', 'Basic realm="api"')
  return reply.send(errorBody(messages))
}

/** What passes by itself is told in a line, however many requests meet it; what does not, with its stack. */
function logFailure(error: unknown, status: number, { id, method, url }: FastifyRequest, logger: Logger): void {
  const fields = { requestId: id, method, url, status }
  if (status === 503 && isLedgerError(error)) {
    logger.warn({ ...fields, code: error.code, reason: error.message }, 'request given up')
  } else {
    logger.error({ ...fields, err: error }, 'request failed')
  }
}

function answerTo(error: unknown): ErrorAnswer {
  if (isLedgerError(error)) {
    const { status } = errorCatalogue[error.code]
    if (status === 503) return unavailable
    return status < 500 ? { status, messages: messagesOf(error) } : internal
  }
  const status = statusOf(error)
  return status === undefined ? internal : { status, messages: [{ message: textOf(status) }] }
}

/** Status of an error that the HTTP server itself found in a request; undefined for everything else. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  const status = error.statusCode
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

function textOf(status: number): string {
  if (status === 404) return 'Not found'
  return status === 414 ? 'URI too long' : 'Bad request'
}
