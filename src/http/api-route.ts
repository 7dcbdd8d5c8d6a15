import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Family, familyOf } from '#queries/common/families.ts'
import type { Answer, ApiRoute, QueryContext, Reads } from '#queries/common/route.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import type { AnswerCache } from '#src/http/answer-cache.ts'
import type { Capacity } from '#src/http/capacity.ts'
import type { Closing } from '#src/http/closing.ts'
import { type FinishedAnswer, finish, sendAnswer } from '#src/http/finished-answer.ts'
import { freshnessHeader, waitForTime, waitHeader } from '#src/http/freshness.ts'
import { LastAnswers } from '#src/http/last-answers.ts'
import type { Load } from '#src/http/load.ts'
import { documentRoute } from '#src/http/openapi.ts'
import { RequestWork } from '#src/http/request-work.ts'
import { assertAddress, readRequest } from '#src/http/route-request.ts'
import type { ApiUser, HttpSettings } from '#src/http/settings.ts'
import { findUser } from '#src/http/users.ts'
import type { Clock } from '#src/ports/clock.ts'
import { typedRows } from '#src/ports/read-store.ts'
import { inRequest } from '#src/ports/request-scope.ts'
import type { ModelSet, ModelState } from '#src/runtime/serve/model-set.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

export interface ApiRouteOptions {
  readonly models: ModelSource
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly closing: Closing
  readonly load: Load
  readonly capacity: Capacity
  readonly cache: AnswerCache
  readonly health?: (() => LiveHealth) | undefined
}

export const apiPrefix = '/api/v1'
const waitHeaderName = waitHeader.toLowerCase()

/** Serves a route; HEAD beside GET. */
export function addApiRoute(app: FastifyInstance, route: ApiRoute, options: ApiRouteOptions): void {
  const family = familyOf(route.family)
  const choices = route.answers.map(({ reads }) => reads)
  const last = route.keepsLast ? new LastAnswers() : undefined
  app.route({
    method: route.method ?? 'GET',
    url: addressOf(route),
    schema: documentRoute(route, options.settings),
    config: { family },
    ...(route.payload && { bodyLimit: route.payload.bytesMax }),
    handler: async (request, reply) => {
      assertAddress(route, family, request)
      const work = workOf(request, options)
      options.load.enter()
      try {
        const turn = work.begin()
        if (turn !== undefined) await turn
        const asked = { route, family, choices, last, work, options, request, reply }
        sendAnswer(await lastOrNew(asked), request, reply)
        return reply
      } finally {
        options.load.leave()
        work.end()
      }
    },
  })
}

/** Where a route is served. */
export function addressOf({ prefix = apiPrefix, path }: Pick<ApiRoute, 'prefix' | 'path'>): string {
  return prefix + path
}

async function lastOrNew(asked: AskedRoute): Promise<FinishedAnswer> {
  const { choices, last, options, request } = asked
  try {
    const answered = await options.models.use(choices, (models) => answerRequest(asked, models))
    last?.keep(pathOf(request.url), answered)
    return answered
  } catch (error) {
    const kept = last?.insteadOf(error, pathOf(request.url))
    if (kept === undefined) throw error
    return kept
  }
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

function workOf(request: FastifyRequest, { capacity, settings, closing }: ApiRouteOptions): RequestWork {
  const { socket } = request.raw
  return new RequestWork({ capacity, timeoutMs: settings.requestTimeoutMs, signal: closing.over, socket })
}

interface AskedRoute {
  readonly route: ApiRoute
  readonly family: Family
  readonly choices: readonly Reads[]
  readonly last: LastAnswers | undefined
  readonly work: RequestWork
  readonly options: ApiRouteOptions
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Answers from these models, which the request reads from its beginning to its end. */
async function answerRequest(asked: AskedRoute, models: ModelSet): Promise<FinishedAnswer> {
  const { route, options, request, reply } = asked
  const user = userOf(asked)
  const state = await stateFor(asked, models)
  const address = route.keepsLast ? pathOf(request.url) : request.url
  const key = user === undefined ? address : `${address} ${user.pageSizeMax}`
  // What a body asks for is not told by the address.
  const cache = route.payload === undefined ? options.cache : undefined
  const kept = cache?.get(key, state.stamp)
  if (kept !== undefined) return kept
  const headers = headersOf(asked, state)
  // An error says them as well.
  reply.headers(headers)
  const settings = user === undefined ? options.settings : { ...options.settings, pageSizeMax: user.pageSizeMax }
  const answer = await inRequest(request.id, () => readAnswer(asked, { models, state, settings }))
  const finished = finish(answer, { route, ids: models.ids, headers })
  if (!answer.dependsOnClock) cache?.offer(key, state.stamp, finished)
  return finished
}

function headersOf({ route, family, options }: AskedRoute, { bound }: ModelState): Record<string, string> {
  return {
    ...(isShapedByUser(family, options.settings) && varyByUser),
    ...(addressOf(route).startsWith(apiPrefix) && { [freshnessHeader]: formatLedgerTime(bound.time) }),
  }
}

interface ReadOptions {
  readonly models: ModelSet
  readonly state: ModelState
  readonly settings: HttpSettings
}

async function readAnswer(
  { route, family, work, options, request }: AskedRoute,
  { models, state, settings }: ReadOptions,
): Promise<Answer> {
  const context: QueryContext<Reads> = {
    rows: rowsOf(models, work),
    checkpoint: state.bound,
    checkpoints: state.checkpoints,
    settings,
    now: BigInt(options.clock.now()) * 1_000_000n,
    health: options.health?.(),
    pause: work.pause,
  }
  const read = readRequest({ route, family, settings, request })
  const answer = await answerOf(route, models)(read, context)
  // What a query never asked for is refused if it is wrong all the same.
  void read.filters
  return answer
}

/** Where the read models stand, once that is what the request waits for. */
async function stateFor({ work, options, request }: AskedRoute, models: ModelSet): Promise<ModelState> {
  const wait = request.headers[waitHeaderName]
  if (typeof wait !== 'string') return models.state()
  const { closing, settings } = options
  const state = await waitForTime(models, wait, settings.maxWaitMs, () => {
    work.assertClient()
    return closing.begun.aborted
  })
  work.restart()
  return state
}

/** Credentials shape the page: a shared cache must not give one user's answer to another. */
const varyByUser = { vary: 'Authorization' }

function isShapedByUser({ name }: Family, { users }: HttpSettings): boolean {
  return name === 'A' && users.length > 0
}

function userOf({ family, options, request, reply }: AskedRoute): ApiUser | undefined {
  if (family.name !== 'A') return undefined
  if (isShapedByUser(family, options.settings)) reply.headers(varyByUser)
  return findUser(request.headers.authorization, options.settings.users)
}

function rowsOf({ models }: ModelSet, work: RequestWork): QueryContext<Reads>['rows'] {
  return Object.fromEntries(models.map(({ name, reader }) => [name, typedRows(work.reading(reader))]))
}

function answerOf({ path, answers }: ApiRoute, { choice, ids }: ModelSet) {
  const { answer } = answers[choice] ?? {}
  if (answer === undefined) throw new LedgerError('unavailable', `No answer of ${path} for ${ids} in this code`)
  return answer
}
