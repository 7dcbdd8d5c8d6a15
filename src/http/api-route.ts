import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Dialect, dialectOf } from '#queries/common/dialects.ts'
import type { Answer, ApiRoute, QueryContext, Reads } from '#queries/common/route.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import type { ContractCalls } from '#src/evm/contract-calls.ts'
import type { AnswerCache } from '#src/http/answer-cache.ts'
import type { Capacity } from '#src/http/capacity.ts'
import type { ClientOf } from '#src/http/client-address.ts'
import type { Closing } from '#src/http/closing.ts'
import { isBroken, logFailure } from '#src/http/errors.ts'
import { type FinishedAnswer, finish, sendAnswer, sendParts } from '#src/http/finished-answer.ts'
import { freshnessHeader, parseWait, type TimeWatch, waitHeader } from '#src/http/freshness.ts'
import { hasLargeBody } from '#src/http/large-bodies.ts'
import type { LastAnswers } from '#src/http/last-answers.ts'
import { type Load, Place } from '#src/http/load.ts'
import { documentRoute } from '#src/http/openapi.ts'
import { RequestWork } from '#src/http/request-work.ts'
import { assertAddress, readRequest } from '#src/http/route-request.ts'
import type { ApiUser, HttpSettings } from '#src/http/settings.ts'
import { priorities } from '#src/http/turns.ts'
import { findUser } from '#src/http/users.ts'
import type { Waits } from '#src/http/waits.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { ModelSet, ModelState } from '#src/runtime/serve/model-set.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

export interface ApiRouteOptions {
  readonly models: ModelSource
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly closing: Closing
  readonly load: Load
  readonly waits: Waits
  readonly times: TimeWatch
  readonly clientOf: ClientOf
  readonly capacity: Capacity
  readonly cache: AnswerCache
  readonly health?: (() => LiveHealth) | undefined
  /** What routes that keep their last answers gave last. */
  readonly last: LastAnswers
  readonly calls?: ContractCalls | undefined
  readonly logger: Logger
}

export const apiPrefix = '/api/v1'
const waitHeaderName = waitHeader.toLowerCase()

/** Serves a route; HEAD beside GET. */
export function addApiRoute(app: FastifyInstance, route: ApiRoute, options: ApiRouteOptions): void {
  const dialect = dialectOf(route.dialect)
  const served: ServedRoute = {
    route,
    dialect,
    choices: route.answers.map(({ reads }) => reads),
    last: route.keepsLast ? options.last : undefined,
    saysFreshness: addressOf(route).startsWith(apiPrefix),
    isShapedByUser: dialect.name === 'A' && options.settings.users.length > 0,
    options,
  }
  app.route({
    method: route.method ?? 'GET',
    url: addressOf(route),
    schema: documentRoute(route, options.settings),
    config: { dialect },
    ...(route.payload && { bodyLimit: route.payload.bytesMax }),
    handler: (request, reply) => serve(served, request, reply),
  })
}

/** Where a route is served. */
export function addressOf({ prefix = apiPrefix, path }: Pick<ApiRoute, 'prefix' | 'path'>): string {
  return prefix + path
}

interface ServedRoute {
  readonly route: ApiRoute
  readonly dialect: Dialect
  readonly choices: readonly Reads[]
  readonly last: LastAnswers | undefined
  readonly saysFreshness: boolean
  /** Credentials shape the page: a shared cache must not give one user's answer to another. */
  readonly isShapedByUser: boolean
  readonly options: ApiRouteOptions
}

/** A request with what it has of its own. */
interface Asked {
  readonly served: ServedRoute
  readonly work: RequestWork
  readonly place: Place
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function serve(served: ServedRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { route, dialect, options } = served
  assertAddress(route, dialect, request)
  const work = workOf(request, options)
  const place = new Place(options.load)
  place.take()
  try {
    const turn = work.begin(hasLargeBody(request) ? priorities.page : priorities.first)
    if (turn !== undefined) await turn
    const answer = await lastOrNew({ served, work, place, request, reply })
    if (answer !== undefined) sendAnswer(answer, request, reply)
  } finally {
    place.giveBack()
    work.end()
  }
}

/** undefined where it was sent already, part by part. */
function lastOrNew(asked: Asked): Promise<FinishedAnswer | undefined> {
  const { last, choices, options } = asked.served
  const answer = options.models.use(choices, (models) => answerRequest(asked, models))
  return last === undefined ? answer : orLast(answer, last, asked)
}

async function orLast(
  answer: Promise<FinishedAnswer | undefined>,
  last: LastAnswers,
  { request, served }: Asked,
): Promise<FinishedAnswer | undefined> {
  const address = pathOf(request.url)
  try {
    const answered = await answer
    if (answered !== undefined) last.keep(address, answered)
    return answered
  } catch (error) {
    const kept = last.insteadOf(error, address)
    if (kept === undefined) throw error
    if (isBroken(error)) logFailure(error, 200, request, served.options.logger)
    return kept
  }
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

function workOf(
  { id, raw: { socket } }: FastifyRequest,
  { capacity, settings, closing }: ApiRouteOptions,
): RequestWork {
  return new RequestWork({ id, capacity, timeoutMs: settings.requestTimeoutMs, signal: closing.over, socket })
}

/** Answers from these models, which the request reads from its beginning to its end. */
async function answerRequest(asked: Asked, models: ModelSet): Promise<FinishedAnswer | undefined> {
  const { served, request, reply } = asked
  const { route, options } = served
  const user = userOf(asked)
  const waitsFor = request.headers[waitHeaderName]
  const state = typeof waitsFor === 'string' ? await stateAfter(waitsFor, asked, models) : await models.state()
  const address = route.keepsLast ? pathOf(request.url) : request.url
  const key = user === undefined ? address : `${address} ${user.pageSizeMax}`
  // What a body asks for is not told by the address.
  const cache = route.payload === undefined ? options.cache : undefined
  const kept = cache?.get(key, state.stamp)
  if (kept !== undefined) return kept
  const settings = user === undefined ? options.settings : { ...options.settings, pageSizeMax: user.pageSizeMax }
  try {
    const answer = await readAnswer(asked, { models, state, settings })
    const { parts } = answer
    if (parts !== undefined) {
      await sendWhole({ ...answer, parts }, asked, state)
      return undefined
    }
    const settled = served.saysFreshness && !state.isWhole ? brief(answer, route) : answer
    const finished = finish(settled, { route, ids: models.ids, headers: headersOf(served, state) })
    if (!answer.dependsOnClock) cache?.offer(key, state.stamp, finished)
    return finished
  } catch (error) {
    // An error says them as well.
    reply.headers(Object.fromEntries(headersOf(served, state)))
    throw error
  }
}

/** The rows that it is made of are held until it is whole. What breaks off has begun: nothing else can be answered. */
async function sendWhole(
  answer: Answer & { readonly parts: AsyncIterable<Uint8Array> },
  { served, request, reply }: Asked,
  state: ModelState,
): Promise<void> {
  try {
    await sendParts(answer, { headers: headersOf(served, state) }, reply)
  } catch (error) {
    logFailure(error, 200, request, served.options.logger)
  }
}

/** Seconds. What may be part of a block is for no cache to keep: it goes on as other lists do. */
const unsettledMaxAge = 10

function brief(answer: Answer, route: ApiRoute): Answer {
  return { ...answer, maxAge: Math.min(answer.maxAge ?? route.maxAge, unsettledMaxAge) }
}

function headersOf({ isShapedByUser, saysFreshness }: ServedRoute, { boundText }: ModelState): [string, string][] {
  const headers: [string, string][] = []
  if (isShapedByUser) headers.push(varyByUser)
  if (saysFreshness) headers.push([freshnessHeader, boundText])
  return headers
}

interface ReadOptions {
  readonly models: ModelSet
  readonly state: ModelState
  readonly settings: HttpSettings
}

/** What a query never asked for is refused if it is wrong all the same: its parameters are read in the end. */
async function readAnswer({ served, work, request }: Asked, { models, state, settings }: ReadOptions): Promise<Answer> {
  const { route, dialect, options } = served
  const context: QueryContext<Reads> = {
    rows: rowsOf(models, { route, state, work }),
    checkpoint: state.bound,
    checkpoints: state.checkpoints,
    instances: models.ids,
    stamp: state.stamp,
    settings,
    now: BigInt(options.clock.now()) * 1_000_000n,
    health: options.health?.(),
    evm: options.calls,
    setAside: async (name) => {
      await work.pause()
      return models.models.find((model) => model.name === name)?.reader.parkedCount() ?? 0
    },
    pause: work.pause,
  }
  const read = readRequest({ route, dialect, settings, request })
  const answer = await answerOf(route, models)(read, context)
  void read.filters
  return answer
}

/** Where the read models stand, once that is what the request waits for. It takes nobody's place meanwhile. */
async function stateAfter(
  wait: string,
  { served, work, place, request }: Asked,
  models: ModelSet,
): Promise<ModelState> {
  const { closing, settings, waits, times, clientOf } = served.options
  const wanted = parseWait(wait)
  const now = await models.state()
  if (now.bound.time >= wanted) return now
  const leave = waits.enter(clientOf(request.raw))
  place.giveBack()
  const isOver = (): boolean => {
    work.assertClient()
    return closing.begun.aborted
  }
  const state = await times.reached(models, wanted, { maxWaitMs: settings.maxWaitMs, isOver }).finally(leave)
  place.take()
  work.restart()
  return state
}

const varyByUser: [string, string] = ['vary', 'Authorization']

function userOf({ served, request, reply }: Asked): ApiUser | undefined {
  const { dialect, isShapedByUser, options } = served
  if (dialect.name !== 'A') return undefined
  if (isShapedByUser) reply.header(...varyByUser)
  return findUser(request.headers.authorization, options.settings.users)
}

interface Reading {
  readonly route: ApiRoute
  readonly state: ModelState
  readonly work: RequestWork
}

function rowsOf({ models, choice }: ModelSet, { route, state, work }: Reading): QueryContext<Reads>['rows'] {
  const rows: Record<string, QueryContext<Reads>['rows'][string]> = {}
  const reads = route.answers[choice]?.reads
  for (const { name, reader } of models) rows[name] = rowsAt(reads![name]!, work.reading(reader), state.bound.time)
  return rows
}

function answerOf({ path, answers }: ApiRoute, { choice, ids }: ModelSet) {
  const { answer } = answers[choice] ?? {}
  if (answer === undefined) throw new LedgerError('unavailable', `No answer of ${path} for ${ids} in this code`)
  return answer
}
