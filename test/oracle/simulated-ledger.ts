import type { FastifyInstance } from 'fastify'
import { allProjections } from '#projections/index.ts'
import type { ApiRoute } from '#queries/common/route.ts'
import { apiRoutes } from '#queries/index.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { LedgerHistory } from '#src/simulator/ledger-history.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { parseExactJson } from '#test/conformance/exact-json.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { importNetwork } from '#test/oracle/imported-network.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'

/** A simulated network's ledger behind the API, beside what the network itself knows of it. */
export interface SimulatedLedger {
  readonly history: LedgerHistory
  readonly transactions: number
  /** The body of an answer, its integers as big as they are. Throws for another status than 200, unless such are named. */
  ask(path: string, ...statuses: readonly number[]): Promise<Json>
  /** All entries of a list, page by page. */
  list(path: string, name: string): Promise<Json[]>
  /** Status and body of a request that sends something. */
  post(path: string, payload: object, headers?: Readonly<Record<string, string>>): Promise<[status: number, body: Json]>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not built upon
export type Json = any

/** Simulates, verifies, imports and projects so many blocks, then serves them. */
export async function openSimulatedLedger(
  options: SimulatorOptions,
  blocks: number,
  furtherRoutes: readonly ApiRoute[] = [],
): Promise<SimulatedLedger> {
  const history = new LedgerHistory()
  const { world, transactions } = await importNetwork(options, blocks, history)
  const { log, store } = world
  await runProjections({ log, store, projections: allProjections, follow: false, strict: true })
  const app = await openApp(world, () => Number(history.newest / 1_000_000n) + 1, furtherRoutes)
  return { history, transactions, ...asking(app), close: () => closeAll(app, world) }
}

/** The API over what was imported and projected. */
export async function openApp(
  { store }: ImportWorld,
  now: () => number,
  furtherRoutes: readonly ApiRoute[] = [],
): Promise<FastifyInstance> {
  const readers: Record<string, RowReader> = {}
  for (const { schema } of allProjections) readers[schema.name] = await store.openReader(schema)
  return createApp({
    models: fixedModels(readers, versionsByName(allProjections)),
    routes: [...apiRoutes, ...furtherRoutes],
    settings: { ...defaultHttpSettings, docs: false, answerCacheBytesMax: 0 },
    clock: { now },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
  })
}

export function asking(app: FastifyInstance): Pick<SimulatedLedger, 'ask' | 'list' | 'post'> {
  const ask = async (path: string, ...statuses: readonly number[]): Promise<Json> => {
    const answer = await app.inject(path.startsWith('/api') ? path : `/api/v1${path}`)
    if (!(statuses.length === 0 ? [200] : statuses).includes(answer.statusCode))
      throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`)
    return parseExactJson(answer.body)
  }
  const list = async (path: string, name: string): Promise<Json[]> => {
    const entries: Json[] = []
    for (let next: string | null = path; next !== null; ) {
      const page: Json = await ask(next)
      entries.push(...page[name])
      next = page.links.next
    }
    return entries
  }
  const post: SimulatedLedger['post'] = async (path, payload, headers = {}) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url: `/api/v1${path}`, payload, headers })
    return [statusCode, parseExactJson(body)]
  }
  return { ask, list, post }
}

async function closeAll(app: FastifyInstance, { log, store }: ImportWorld): Promise<void> {
  await app.close()
  await store.close()
  await log.close()
}
