import type { FastifyInstance } from 'fastify'
import { allProjections } from '#projections/index.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { AppOptions } from '#src/http/app.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings, type HttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { fixedModels } from '#test/support/fixed-models.ts'

/** Of every read model, by its name. */
type Readers = Readonly<Record<string, RowReader> & Record<'transactions' | 'blocks', RowReader>>

export interface TestLedger {
  readonly readers: Readers
  /** Appends events and brings the read models up to them. */
  record(events: readonly LogRecord[]): Promise<void>
  app(settings?: Partial<HttpSettings>, options?: Partial<AppOptions> & { readers?: Readers }): FastifyInstance
  close(): Promise<void>
}

/** Log, read models and API in memory. */
export async function openTestLedger(): Promise<TestLedger> {
  const log = openSqliteLog({ folder: ':memory:' })
  const store = openSqliteReadStore({ folder: ':memory:' })
  const writer = await log.openWriter()
  const opened = allProjections.map(async ({ schema }) => [schema.name, await store.openReader(schema)] as const)
  const readers = Object.fromEntries(await Promise.all(opened)) as Readers
  return {
    readers,
    async record(events) {
      await writer.append([events])
      await runProjections({ log, store, projections: allProjections, follow: false, strict: true })
    },
    app: (settings, { readers: own = readers, ...options } = {}) =>
      createApp({
        models: fixedModels(own),
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
