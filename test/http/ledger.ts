import type { FastifyInstance } from 'fastify'
import type { ApiRoute } from '#queries/common/route.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { AppOptions } from '#src/http/app.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'
import { readerStandingAt } from '#test/support/reader-standing-at.ts'

/** By read model. */
type Readers = Readonly<Record<string, RowReader> & Record<'transactions' | 'blocks', RowReader>>

export interface TestLedger {
  readonly readers: Readers
  /** Appends events and brings the read models up to them: what was appended is whole. */
  record(events: readonly LogRecord[]): Promise<void>
  app(settings?: Partial<HttpSettings>, options?: Partial<AppOptions> & { readers?: Readers }): FastifyInstance
  close(): Promise<void>
}

/** Log, read models and API in memory: of these routes and what they read, or of the whole history, which takes a second longer to load. */
export async function openTestLedger(only?: readonly ApiRoute[]): Promise<TestLedger> {
  const routes = only ?? (await import('#queries/index.ts')).apiRoutes
  const projections = only ? await projectionsOf(only) : (await import('#projections/index.ts')).allProjections
  const log = openSqliteLog({ folder: ':memory:' })
  const store = openSqliteReadStore({ folder: ':memory:' })
  const writer = await log.openWriter()
  const opened = projections.map(async ({ schema }) => {
    const reader = await store.openReader(schema)
    return [schema.name, readerStandingAt(reader, (end) => end && { ...end, whole: end })] as const
  })
  const readers = Object.fromEntries(await Promise.all(opened)) as Readers
  return {
    readers,
    async record(events) {
      await writer.append([events])
      await runProjections({ log, store, projections, follow: false, strict: true })
    },
    app: (settings, { readers: own = readers, ...options } = {}) =>
      createApp({
        models: fixedModels(own, versionsByName(projections)),
        routes,
        settings: { ...defaultHttpSettings, docs: false, answerCacheBytesMax: 0, ...settings },
        clock: { now: () => Date.parse('2024-01-01T00:00:00Z') },
        logger: silentLogger,
        readiness: async () => ({ ready: true }),
        ...options,
      }),
    async close() {
      await store.close()
      await log.close()
    },
  }
}

/** Each read model is where its name says. */
async function projectionsOf(routes: readonly ApiRoute[]): Promise<AnyProjection[]> {
  const names = new Set(routes.flatMap(({ answers }) => answers.flatMap(({ reads }) => Object.keys(reads))))
  return Promise.all([...names].map(projectionOf))
}

async function projectionOf(name: string): Promise<AnyProjection> {
  const module: Record<string, AnyProjection> = await import(`#projections/${name}/projection.ts`)
  const found = Object.values(module).find((each) => each.schema?.name === name)
  if (found === undefined) throw new Error(`projections/${name}/projection.ts exports no read model ${name}`)
  return found
}
