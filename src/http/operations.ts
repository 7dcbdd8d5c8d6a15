import type { FastifyInstance } from 'fastify'
import type { HttpRequestFigures } from '#src/runtime/metrics.ts'

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

export interface OperationsOptions {
  readonly readiness: () => Promise<Readiness>
  readonly metrics: HttpMetrics | undefined
}

/** Health and metrics, for supervisors and dashboards. Not part of the API's description. */
export function addOperations(app: FastifyInstance, { readiness, metrics }: OperationsOptions): void {
  const hidden = { schema: { hide: true } }
  app.get('/health/liveness', hidden, () => ({ status: 'UP' }))
  app.get('/health/readiness', hidden, async (_request, reply) => {
    const state = await readiness()
    return reply.code(state.ready ? 200 : 503).send({ status: state.ready ? 'UP' : 'DOWN', ...state })
  })
  if (metrics === undefined) return
  for (const path of ['/metrics', '/swagger/metrics']) {
    app.get(path, hidden, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()))
  }
}
