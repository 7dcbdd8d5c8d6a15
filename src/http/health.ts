import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { publicBody } from '#src/http/public-body.ts'
import type { HttpRequestFigures } from '#src/runtime/watch/request-durations.ts'

/** Whether the served read models are built and recent enough, and the numbers that say so. */
export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

export interface HttpMetrics {
  /** Prometheus text of the process. */
  readonly contentType: string
  render(): Promise<string>
  /** Called once per answered request. */
  observeRequest?(request: HttpRequestFigures): void
}

export interface HealthOptions {
  readonly readiness: () => Promise<Readiness>
  readonly status?: () => Promise<object>
  readonly metrics?: HttpMetrics
}

const tags = ['health']
const statusBody = (status: 'UP' | 'DOWN'): object => ({
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: [status] } },
  additionalProperties: true,
})
const liveness = {
  schema: {
    tags,
    operationId: 'getHealthLiveness',
    summary: 'Whether the process responds',
    response: { 200: { description: 'It does', ...statusBody('UP') } },
  },
}
const readinessRoute = {
  schema: {
    tags,
    operationId: 'getHealthReadiness',
    summary: 'Whether every read model is built and recent enough',
    response: {
      200: { description: 'Ready, with the numbers', ...statusBody('UP') },
      503: { description: 'Not ready, with the numbers', ...statusBody('DOWN') },
    },
  },
}
const statusRoute = {
  schema: {
    tags,
    operationId: 'getHealthStatus',
    summary: 'The numbers: what serves, where it stands, the head of the log, and who runs',
    response: { 200: { description: 'OK', type: 'object', additionalProperties: true } },
  },
}
const metricsRoute = {
  schema: {
    tags,
    operationId: 'getMetrics',
    summary: 'Figures of the process in the Prometheus text format',
    produces: ['text/plain'],
    response: { 200: { description: 'OK', type: 'string' } },
  },
}

/** Health and metrics, for supervisors and dashboards. */
export function addHealth(app: FastifyInstance, { readiness, status, metrics }: HealthOptions): void {
  app.get('/health/liveness', liveness, () => ({ status: 'UP' }))
  app.get('/health/readiness', readinessRoute, async (_request, reply) => {
    const state = await readiness()
    const status = state.ready ? 'UP' : 'DOWN'
    return reply.code(state.ready ? 200 : 503).send(publicBody({ status, ...state }))
  })
  if (status !== undefined) app.get('/health/status', statusRoute, async () => publicBody(await status()))
  if (metrics === undefined) return
  const page: RouteHandlerMethod = async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render())
  app.get('/metrics', metricsRoute, page)
  app.get('/swagger/metrics', { schema: { hide: true } }, page)
}
