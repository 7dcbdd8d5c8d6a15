import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#queries/common/errors.ts'
import type { Parameters } from '#queries/common/parameters.ts'
import { parseQuery } from '#queries/common/parse-query.ts'
import { parseQueryString } from '#queries/common/query-string.ts'
import type { Answer, ApiRoute } from '#queries/common/route.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { FinishedAnswer } from '#src/http/answer-cache.ts'
import { AnswerCache } from '#src/http/answer-cache.ts'
import type { Closing } from '#src/http/closing.ts'
import { jsonType } from '#src/http/errors.ts'
import { freshnessHeader, waitForTime, waitHeader } from '#src/http/freshness.ts'
import type { Load } from '#src/http/load.ts'
import { documentRoute } from '#src/http/openapi.ts'
import { createPause } from '#src/http/request-pause.ts'
import type { HttpSettings } from '#src/http/settings.ts'
import { findUser } from '#src/http/users.ts'
import type { Clock } from '#src/ports/clock.ts'
import { inRequest } from '#src/ports/request-scope.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

export interface ApiRouteOptions {
  readonly models: ModelSource
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly closing: Closing
  readonly load: Load
}

const prefix = '/api/v1'
const waitHeaderName = waitHeader.toLowerCase()

/** Serves a route of the history family: GET, and HEAD with it. */
export function addApiRoute(app: FastifyInstance, route: ApiRoute<Parameters>, options: ApiRouteOptions): void {
  const caches = createCaches(options.settings)
  const path = route.id === undefined ? route.path : route.path.replace(':id', `:${route.id.name}`)
  app.get(`${prefix}${path}`, { schema: documentRoute(route) }, async (request, reply) => {
    const answer = (model: ServedModel): Promise<FinishedAnswer> =>
      answerRequest({ route, model, options, cache: caches(model), request, reply })
    const finished = await inRequest(request.id, () =>
      options.load.admit(() => options.models.use(route.readModel, answer)),
    )
    return sendAnswer(finished, request, reply)
  })
}

/** The answers kept of one endpoint, for each instance of its read model: they go when the instance does. */
function createCaches(settings: HttpSettings): (model: ServedModel) => AnswerCache | undefined {
  const { responseCacheEntries: entriesMax, responseCacheBytesMax: bytesMax } = settings
  if (entriesMax <= 0) return () => undefined
  const caches = new WeakMap<ServedModel, AnswerCache>()
  return (model) => {
    const known = caches.get(model)
    if (known !== undefined) return known
    const cache = new AnswerCache({ entriesMax, bytesMax })
    caches.set(model, cache)
    return cache
  }
}

interface RouteRequest {
  readonly route: ApiRoute<Parameters>
  /** What this request reads from its beginning to its end. */
  readonly model: ServedModel
  readonly options: ApiRouteOptions
  readonly cache: AnswerCache | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function answerRequest({ route, model, options, cache, request, reply }: RouteRequest): Promise<FinishedAnswer> {
  // Credentials shape the page: a shared cache must not give one user's answer to another.
  if (options.settings.users.length > 0) reply.header('vary', 'Authorization')
  const user = findUser(request.headers.authorization, options.settings.users)
  const settings = user === undefined ? options.settings : { ...options.settings, pageSizeMax: user.pageSizeMax }
  const wait = request.headers[waitHeaderName]
  const checkpoint =
    typeof wait === 'string'
      ? await waitForTime(model, wait, settings.maxWaitMs, options.closing.begun)
      : await model.checkpoint()
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
  const context = { reader: model.reader, checkpoint, settings, now, pause }
  const answer = await answerFunction(route, model)({ path, id, query, filters }, context)
  const finished = finish(answer, model, route.maxAge)
  if (!answer.dependsOnClock) cache?.offer(key, checkpoint.position, finished)
  return finished
}

function answerFunction({ path, answers }: ApiRoute<Parameters>, { name, version }: ServedModel) {
  const answer = answers[version]
  if (answer !== undefined) return answer
  throw new LedgerError('unavailable', `No route ${path} for ${name} v${version} in this code`)
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

function finish({ body, tag, maxAge, next }: Answer, model: ServedModel, routeMaxAge: number): FinishedAnswer {
  const headers: Record<string, string> = {
    'content-type': jsonType,
    'cache-control': `public, max-age=${maxAge ?? routeMaxAge}`,
    // Another build may have rendered the same rows otherwise.
    etag: `W/"${model.id}-${tag}"`,
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
