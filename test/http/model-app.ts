import type { FastifyInstance } from 'fastify'
import type { ApiRoute } from '#queries/common/route.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Checkpoint, RowReader } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { publish } from '#test/support/events.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'

export interface ModelApp {
  /** The body of an answer, whose status must be 200 unless said otherwise. */
  get(path: string, status?: number): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/**
 * Routes of the API on the one read model that they read, folded from events. With a time, its requests began when the rows
 * reached it, and the rest was committed while they ran.
 */
export async function openModelApp(
  projection: AnyProjection,
  routes: readonly ApiRoute[],
  records: readonly LogRecord[],
  boundTime?: bigint,
): Promise<ModelApp> {
  const log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
  const store = openSqliteReadStore({ folder: ':memory:' })
  await publish(log, records)
  await runProjections({ log, store, projections: [projection], follow: false, strict: true })
  const reader = await store.openReader(projection.schema)
  const app: FastifyInstance = createApp({
    models: fixedModels(
      { [projection.schema.name]: boundTime === undefined ? reader : begunAt(reader, boundTime) },
      versionsByName([projection]),
    ),
    routes,
    settings: { ...defaultHttpSettings, docs: false, answerCacheBytesMax: 0 },
    clock: { now: () => 0 },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
  })
  return {
    async get(path, status = 200) {
      const answer = await app.inject(path)
      if (answer.statusCode !== status) throw new Error(`${path} answers ${answer.statusCode}: ${answer.body}`)
      return answer.json()
    },
    async close() {
      await app.close()
      await store.close()
      await log.close()
    },
  }
}

function begunAt(reader: RowReader, time: bigint): RowReader {
  const checkpoint = async (): Promise<Checkpoint> => ({ position: 1, time })
  return {
    checkpoint,
    get: (...query) => reader.get(...query),
    find: (query) => reader.find(query),
    scan: (...range) => reader.scan(...range),
    parkedCount: () => reader.parkedCount(),
    parked: (...range) => reader.parked(...range),
    close: () => reader.close(),
  }
}
