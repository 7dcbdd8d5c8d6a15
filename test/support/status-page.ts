import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { StatusEvent } from '#commands/status/events.ts'
import { streamOf } from '#commands/status/events.ts'
import { statusProjection } from '#projections/status/projection.ts'
import { statusRoutes } from '#queries/status/routes.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import { createApp } from '#src/http/app.ts'
import type { HttpMetrics } from '#src/http/health.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { decisionLog } from '#src/runtime/fold/decision-log.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { fixedModels } from '#test/support/fixed-models.ts'

export interface StatusPage {
  readonly app: FastifyInstance
  /** Writes events down, as commands would, and folds them. */
  tell(events: readonly StatusEvent[]): Promise<void>
  /** Folds what was decided. */
  fold(): Promise<void>
  /** What an address answers, whose status must be 200. */
  get(path: string): Promise<string>
  json(path: string): Promise<unknown>
  close(): Promise<void>
}

export interface StatusPageOptions {
  /** Wall clock, in milliseconds where it moves; the end of the reference's story unless given. */
  readonly now?: string | (() => number)
  readonly reader?: (reader: RowReader) => RowReader
  /** Whether the documentation is served; it is not unless given. */
  readonly docs?: boolean
  /** A store of its own unless given. */
  readonly decisions?: DecisionStore
  readonly metrics?: HttpMetrics
  readonly health?: LiveHealth
}

/** The status page in memory: decisions, their read model, and everything that it answers. */
export async function openStatusPage(options: StatusPageOptions = {}): Promise<StatusPage> {
  const { now, reader: wrap, docs = false, decisions = openSqliteDecisionStore({ folder: ':memory:' }) } = options
  const store = openSqliteReadStore({ folder: ':memory:' })
  const own = await store.openReader(statusProjection.schema)
  const app = createApp({
    models: fixedModels({ status: wrap ? wrap(own) : own }, { status: statusProjection.schema.version }),
    settings: { ...defaultHttpSettings, docs },
    clock: { now: typeof now === 'function' ? now : () => Date.parse(now ?? '2026-03-04T22:45:00.000Z') },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
    routes: statusRoutes,
    ...(options.metrics && { metrics: options.metrics }),
    ...(options.health && { health: () => options.health! }),
  })
  const revisions = new Map<string, number>()
  const fold = async (): Promise<void> => {
    const log = decisionLog(decisions)
    await runProjections({ log, store, projections: [statusProjection], follow: false, strict: true })
  }
  const get = async (path: string): Promise<string> => {
    const { statusCode, body } = await app.inject(path)
    if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}: ${body}`)
    return body
  }
  return {
    app,
    async tell(events) {
      for (const event of events) {
        const stream = streamOf(event)
        const at = revisions.get(stream)
        revisions.set(stream, await decisions.append(stream, at ?? 'none', [recordOf(event)]))
      }
      await fold()
    },
    fold,
    get,
    json: async (path) => JSON.parse(await get(path)),
    async close() {
      await app.close()
      await store.close()
      await decisions.close()
    },
  }
}

function recordOf({ type, data }: StatusEvent) {
  const metadata = {
    command_id: randomUUID(),
    command_digest: '',
    actor: 'alice',
    actor_role: 'operator' as const,
    recorded_at: data.at,
    schema_version: 1,
  }
  return { id: randomUUID(), type, data, metadata }
}
