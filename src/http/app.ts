import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type onRequestHookHandler,
} from 'fastify'
import { dialectOf } from '#queries/common/dialects.ts'
import { notFound } from '#queries/common/errors.ts'
import type { ApiRoute } from '#queries/common/route.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import { type ContractCalls, openContractCalls } from '#src/evm/contract-calls.ts'
import { AnswerCache } from '#src/http/answer-cache.ts'
import { addressOf } from '#src/http/api-route.ts'
import { addApiRoutes } from '#src/http/api-routes.ts'
import { type Capacity, capacityOf } from '#src/http/capacity.ts'
import { createClientOf } from '#src/http/client-address.ts'
import { closeInTime } from '#src/http/closing.ts'
import { commonHeaders, requestIdHeader, sayHeaders } from '#src/http/common-headers.ts'
import { addDocs } from '#src/http/docs.ts'
import { sendError } from '#src/http/errors.ts'
import { TimeWatch, waitHeader } from '#src/http/freshness.ts'
import { addHealth, type HttpMetrics, type Readiness } from '#src/http/health.ts'
import { Load } from '#src/http/load.ts'
import { createParserErrorHandler, refuseExpectations } from '#src/http/parser-errors.ts'
import type { HttpSettings } from '#src/http/settings.ts'
import { addStatusCommands, type StatusCommandOptions } from '#src/http/status-commands.ts'
import { findUser } from '#src/http/users.ts'
import { addVerification, type VerificationHttpOptions } from '#src/http/verification/add-verification.ts'
import { Waits } from '#src/http/waits.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'

/** Nothing in an id may break a log line, a header or a comment in the store. */
const wellFormedId = /^[\w.:+/=-]{1,128}$/

export interface AppOptions {
  readonly models: ModelSource
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: HttpMetrics
  readonly readiness: () => Promise<Readiness>
  /** The numbers of the whole deployment, for /health/status. */
  readonly status?: () => Promise<object>
  readonly routes: readonly ApiRoute[]
  readonly load?: Load
  readonly waits?: Waits
  readonly capacity?: Capacity
  readonly cache?: AnswerCache
  /** What runs contracts, on threads that begin with the first call; closed with the app. */
  readonly calls?: ContractCalls
  /** What this process measured of the deployment last, for the status page; nothing unless given. */
  readonly health?: () => LiveHealth
  /** Where the status page is written to; nobody may unless given. */
  readonly statusCommands?: Omit<StatusCommandOptions, 'clock' | 'logger'> | undefined
  /** What verifies contracts; nothing does unless given. */
  readonly verification?: Omit<VerificationHttpOptions, 'clock' | 'logger'> | undefined
}

/** No id in a path is too long to be told what is wrong with it: the server's own limit on headers is lower. */
const pathParameterMax = 65_536
const requestBodyBytesMax = 1 << 20
/** Within this a request must have arrived whole. */
const arrivalTimeoutMs = 10_000
/** A connection on which nothing moves is cut this long after the longest wait and search, or verification, that a request may take. */
const idleMarginMs = 10_000

/** The query side of the service, ready to listen or to be asked by injection. The caller listens and closes. */
export function createApp(options: AppOptions): FastifyInstance {
  const { settings, routes } = options
  const { load = new Load(settings.requestsAtOnceMax) } = options
  const { waits = new Waits({ atOnceMax: settings.waitsAtOnceMax, perClientMax: settings.waitsPerClientMax }) } =
    options
  const { capacity = capacityOf(settings) } = options
  const { cache = new AnswerCache({ bytesMax: settings.answerCacheBytesMax }) } = options
  const calls = options.calls ?? openContractCalls(settings.contractCalls)
  const app = createServer(options)
  addCommonHandling(app, options)
  app.server.on('connection', () => capacity.turns.hurry())
  app.addHook('onClose', () => calls.close())
  const closing = closeInTime(app, settings.closeGraceMs)
  if (settings.docs)
    addDocs(
      app,
      routes.some((route) => addressOf(route) === '/'),
    )
  // Registered, so that the documentation plugins are there first and see every route.
  app.register(async (scope) => {
    addHealth(scope, options)
    if (options.verification) addVerification(scope, { ...options, ...options.verification })
    if (options.statusCommands) addStatusCommands(scope, { ...options, ...options.statusCommands })
    const clientOf = createClientOf(settings.trustedProxies)
    const times = new TimeWatch()
    addApiRoutes(scope, routes, { ...options, closing, load, waits, times, clientOf, capacity, cache, calls })
  })
  return app
}

/** Without routes yet: how requests are read, and how what goes wrong with them is told. */
function createServer(options: AppOptions): FastifyInstance {
  const { logger } = options
  const requestId = createRequestIds()
  const headersOf = (request: Pick<IncomingMessage, 'headers'>) => ({
    ...commonHeaders,
    [requestIdHeader]: requestId(request),
  })
  const app = fastify({
    logger: false,
    bodyLimit: requestBodyBytesMax,
    requestTimeout: arrivalTimeoutMs,
    connectionTimeout: longestAnswerMs(options) + idleMarginMs,
    http: {
      headersTimeout: arrivalTimeoutMs,
      connectionsCheckingInterval: arrivalTimeoutMs / 2,
      // Node would refuse those without one with an empty answer; they are refused below.
      requireHostHeader: false,
    },
    genReqId: requestId,
    clientErrorHandler: createParserErrorHandler(headersOf),
    requestIdHeader: false,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: pathParameterMax,
      // Queries are read from the address itself, by their own rules.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply, logger),
  })
  refuseExpectations(app, headersOf)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, logger))
  app.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply, logger))
  return app
}

function longestAnswerMs({ settings, verification }: AppOptions): number {
  return Math.max(settings.maxWaitMs + settings.requestTimeoutMs, verification?.verification.waitMs ?? 0)
}

const prefixWithUsers = '/api/v1/'
const waitHeaderName = waitHeader.toLowerCase()
const preflights = {
  A: { status: 204, methods: 'GET,HEAD,PUT,PATCH,POST,DELETE' },
  B: { status: 200, methods: 'GET,HEAD,POST' },
} as const

const sayCommon: onRequestHookHandler = (request, reply, done) => {
  sayHeaders(request, reply)
  done()
}

/** HTTP/1.1 asks every request for it. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}

function hostMissing(): Error {
  return Object.assign(new Error('The request has no Host header'), { statusCode: 400 })
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const { dialect = dialectOf() } = request.routeOptions.config
  const { status, methods } = preflights[dialect.name]
  const wanted = request.headers['access-control-request-headers']
  if (wanted !== undefined) reply.header('access-control-allow-headers', wanted)
  reply.headers({ 'access-control-allow-methods': methods, vary: 'Access-Control-Request-Headers' })
  sayHeaders(request, reply).code(status).send()
}

/** Wrong credentials are told below the API's prefix before that nothing is there: who may not look learns nothing of it. */
function nothingThere({ url, headers }: FastifyRequest, { users }: HttpSettings): Error {
  if (!url.toLowerCase().startsWith(prefixWithUsers)) return notFound()
  try {
    findUser(headers.authorization, users)
    return notFound()
  } catch (error) {
    return error as Error
  }
}

function addCommonHandling(app: FastifyInstance, { metrics, logger, settings }: AppOptions): void {
  // What the API answers says its headers itself, as errors do.
  app.addHook('onRoute', (route) => {
    if (route.config?.dialect === undefined) route.onRequest = [sayCommon, ...[route.onRequest ?? []].flat()]
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (lacksHost(request.raw)) sendError(hostMissing(), request, reply.header('connection', 'close'), logger)
    else if (request.method === 'OPTIONS' && !request.routeOptions.config.ownPreflight) answerPreflight(request, reply)
    else if (request.is404) {
      // Before a body is read: what it holds is of no interest to a path that does not exist.
      sendError(nothingThere(request, settings), request, reply, logger)
    } else done()
  })
  const observe = metrics?.observeRequest?.bind(metrics)
  app.addHook('onResponse', (request, reply, done) => {
    const { elapsedTime, statusCode: status } = reply
    const { method, url, id: requestId, headers } = request
    const waited = headers[waitHeaderName] !== undefined
    if (elapsedTime > settings.slowRequestMs) {
      logger.warn({ requestId, method, url, status, milliseconds: Math.round(elapsedTime) }, 'slow request')
    }
    observe?.({ route: request.routeOptions.url ?? 'unknown', method, status, seconds: elapsedTime / 1_000, waited })
    done()
  })
}

/** The id that a proxy or client gave a request, else a new one: unique across restarts and cheap to make. */
function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(4).toString('hex')
  let count = 0
  return ({ headers }) => {
    const given = headers['request-id'] ?? headers['x-request-id']
    if (typeof given === 'string' && wellFormedId.test(given)) return given
    return `${prefix}-${(++count).toString(36)}`
  }
}
