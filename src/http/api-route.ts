import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#queries/common/errors.ts'
import type { Parameters } from '#queries/common/parameters.ts'
import { parseQuery } from '#queries/common/parse-query.ts'
import { parseQueryString } from '#queries/common/query-string.ts'
import type { Answer, ApiRoute, ReadModel } from '#queries/common/route.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { FinishedAnswer } from '#src/http/answer-cache.ts'
import { AnswerCache } from '#src/http/answer-cache.ts'
import type { Closing } from '#src/http/closing.ts'
import { jsonType } from '#src/http/errors.ts'
import { freshnessHeader, readCheckpoint, waitForTime, waitHeader } from '#src/http/freshness.ts'
import { documentRoute } from '#src/http/openapi.ts'
import { createPause } from '#src/http/request-pause.ts'
import type { HttpSettings } from '#src/http/settings.ts'
import { findUser } from '#src/http/users.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { RowReader } from '#src/ports/read-store.ts'

export interface ApiRouteOptions {
  readonly readers: Readonly<Record<ReadModel, RowReader>>
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly closing: Closing
}

const prefix = '/api/v1'
const waitHeaderName = waitHeader.toLowerCase()

/** Serves a route of the history family: GET, and HEAD with it. */
export function addApiRoute(app: FastifyInstance, route: ApiRoute<Parameters>, options: ApiRouteOptions): void {
  const { settings } = options
  const cache =
    settings.responseCacheEntries > 0
      ? new AnswerCache({
          entriesMax: settings.responseCacheEntries,
          bytesMax: settings.responseCacheBytesMax,
        })
      : undefined
  const path = route.id === undefined ? route.path : route.path.replace(':id', `:${route.id.name}`)
  app.get(`${prefix}${path}`, { schema: documentRoute(route) }, async (request, reply) => {
    const finished = await answerRequest(route, options, cache, request, reply)
    return sendAnswer(finished, request, reply)
  })
}

async function answerRequest(
  route: ApiRoute<Parameters>,
  options: ApiRouteOptions,
  cache: AnswerCache | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FinishedAnswer> {
  const reader = options.readers[route.readModel]
  // Credentials shape the page: a shared cache must not give one user's answer to another.
  if (options.settings.users.length > 0) reply.header('vary', 'Authorization')
  const user = findUser(request.headers.authorization, options.settings.users)
  const settings = user === undefined ? options.settings : { ...options.settings, pageSizeMax: user.pageSizeMax }
  const wait = request.headers[waitHeaderName]
  const checkpoint =
    typeof wait === 'string'
      ? await waitForTime(reader, wait, settings.maxWaitMs, options.closing.begun)
      : await readCheckpoint(reader)
  reply.header(freshnessHeader, formatLedgerTime(checkpoint.time))
  const key = user === undefined ? request.url : `${request.url} ${user.pageSizeMax}`
  const kept = cache?.get(key, checkpoint.position)
  if (kept !== undefined) return kept
  const { path, queryText } = splitUrl(request.url)
  const query = parseQueryString(queryText, settings.maxRepeatedParameters)
  const filters = parseQuery(query, route.parameters, settings)
  const now = BigInt(options.clock.now()) * 1_000_000n
  const pause = createPause(settings.requestTimeoutMs, options.closing.over)
  const id = idOf(route, request)
  const answer = await route.answer({ path, id, query, filters }, { reader, checkpoint, settings, now, pause })
  const finished = finish(answer, route.maxAge)
  if (!answer.dependsOnClock) cache?.offer(key, checkpoint.position, finished)
  return finished
}

function splitUrl(url: string): { path: string; queryText: string } {
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, queryText: '' } : { path: url.slice(0, mark), queryText: url.slice(mark + 1) }
}

function idOf(route: ApiRoute<Parameters>, request: FastifyRequest): string {
  if (route.id === undefined) return ''
  const id = (request.params as Record<string, string>)[route.id.name] ?? ''
  // Two slashes at the end name nothing.
  if (id === '') throw notFound()
  return id
}

function finish({ body, tag, maxAge, next }: Answer, routeMaxAge: number): FinishedAnswer {
  const headers: Record<string, string> = {
    'content-type': jsonType,
    'cache-control': `public, max-age=${maxAge ?? routeMaxAge}`,
    etag: `W/"${tag}"`,
  }
  if (next !== undefined && next !== null) headers['link'] = linkHeader(next)
  return { body, headers }
}

/** Links repeat decoded values; a header must not carry what it can't hold. */
function linkHeader(next: string): string {
  const safe = next.replace(/[^\x21-\x7e]|[<>"]/g, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  )
  return `<${safe}>; rel="next"`
}

function sendAnswer({ body, headers }: FinishedAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(headers)
  if (matchesTag(request.headers['if-none-match'], headers['etag'] ?? '')) {
    return reply.code(304).removeHeader('content-type').send()
  }
  return reply.send(body)
}

/** Weak comparison with every tag of the list. */
function matchesTag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  if (condition.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
