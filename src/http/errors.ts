import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Dialect, dialectOf } from '#queries/common/dialects.ts'
import { errorBody, textsOf } from '#queries/common/errors.ts'
import { type ErrorCode, errorCatalogue, isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { sayHeaders } from '#src/http/common-headers.ts'
import type { Logger } from '#src/ports/logger.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the route, where it has one: errors are written in its way. */
    readonly dialect?: Dialect
  }
}

export const jsonType = 'application/json; charset=utf-8'

/** How an error is told: its status, and texts where a client can do something about it. */
interface ErrorAnswer {
  readonly status: number
  readonly texts: readonly string[]
  /** The texts stand in `message`, whatever the dialect. */
  readonly asMessage?: boolean
  /** What a rule says beside each text. */
  readonly detail?: string
  readonly retryAfterSeconds?: number
}

const toldCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'filling',
  'rows_unusable',
  'overloaded',
  'not_implemented',
  'fact_unknown',
])

const internal: ErrorAnswer = { status: 500, texts: [] }

/** The one place that turns an error into an answer. What a client can't mend stays in the log, under the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): FastifyReply {
  const { status, texts, asMessage, detail, retryAfterSeconds } = answerTo(error)
  if (status >= 500) logFailure(error, status, request, logger)
  sayHeaders(request, reply).code(status).header('content-type', jsonType)
  if (status === 401) reply.header('www-authenticate', 'Basic realm="api"')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const { dialect = dialectOf() } = request.routeOptions.config
  if (detail !== undefined) return reply.send(errorBody(texts.map((message) => ({ message, detail }))))
  return reply.send(errorBody(asMessage ? texts.map((message) => ({ message })) : dialect.errorMessages(status, texts)))
}

/** What passes by itself is told in a line, however many requests meet it; what does not, with its stack. */
export function logFailure(error: unknown, status: number, { id, method, url }: FastifyRequest, logger: Logger): void {
  if (isTold(error)) return
  const fields = { requestId: id, method, url, status }
  if (status === 503 && isLedgerError(error) && !isBroken(error)) {
    logger.warn({ ...fields, code: error.code, reason: error.message }, 'request given up')
  } else {
    logger.error({ ...fields, err: error }, 'request failed')
  }
}

function answerTo(error: unknown): ErrorAnswer {
  if (isLedgerError(error)) {
    const { status } = errorCatalogue[error.code]
    if (status === 503) return laterAnswer(error)
    if (status >= 500 && !isTold(error)) return internal
    const { asMessage, detail, retryAfterSeconds } = error.details
    const isRule = typeof detail === 'string'
    return {
      status,
      texts: textsOf(error),
      asMessage: asMessage === true,
      ...(isRule && { detail }),
      ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
    }
  }
  const status = statusOf(error)
  return status === undefined ? internal : { status, texts: [] }
}

/**
 * The failures of ours that a client is told about: how far a read model is that fills, that one cannot be answered from, that
 * too many search, and what is not done here. None is news to an operator, whom readiness and figures tell, and a line for each request would drown
 * everything else.
 */
function isTold(error: unknown): error is LedgerError {
  return isLedgerError(error) && toldCodes.has(error.code)
}

/** An answer that could not be made of what there is: it is told as what passes, and needs a person all the same. */
export function isBroken(error: unknown): boolean {
  return isLedgerError(error) && error.details['isBroken'] === true
}

/** What passes by itself, with the time to ask again where it is known. */
function laterAnswer(error: LedgerError): ErrorAnswer {
  const { retryAfterSeconds } = error.details
  return {
    status: 503,
    texts: isTold(error) ? [error.message] : [],
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  }
}

/** Status of an error that the HTTP server itself found in a request; undefined for everything else. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  const status = error.statusCode
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}
