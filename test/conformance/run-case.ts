import type { FastifyInstance } from 'fastify'
import { blocksProjection } from '#projections/blocks/projection.ts'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { transactionsProjection } from '#projections/transactions/projection.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import type { ReadModel } from '#queries/common/route.ts'
import { createApp } from '#src/http/app.ts'
import { freshnessHeader } from '#src/http/freshness.ts'
import type { HttpSettings } from '#src/http/settings.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import type { CaseConfig, CaseFile, CaseRequest } from '#test/conformance/case-file.ts'
import { type CaseEngines, type CasePlace, embeddedEngines, openCaseEngines } from '#test/conformance/engines.ts'
import { eventsOfCase } from '#test/conformance/events-from-rows.ts'
import { differencesOf, parseExactJson } from '#test/conformance/exact-json.ts'
import { fixedModels } from '#test/support/fixed-models.ts'

type Readers = Readonly<Record<ReadModel, RowReader>>

export interface RequestOutcome {
  readonly request: CaseRequest
  /** Empty when the answer is right. */
  readonly differences: readonly string[]
}

export interface CaseOutcome {
  readonly outcomes: readonly RequestOutcome[]
  readonly orphans: number
}

/** Any instant will do where a case names none: its answers do not depend on the clock. */
const anyInstant = '2026-04-15T00:00:00.000Z'

type Wanted = (request: CaseRequest) => boolean

/** Loads a case through the log and the projections and asks the requests that `wanted` lets through. */
export async function runCase(file: CaseFile, wanted: Wanted, engines?: CaseEngines): Promise<CaseOutcome> {
  const [outcome] = await runCases([file], wanted, engines)
  return outcome!
}

/** The same for cases that have the same rows, which are loaded once for all of them. */
export async function runCases(
  files: readonly CaseFile[],
  wanted: Wanted,
  engines?: CaseEngines,
): Promise<CaseOutcome[]> {
  const [first] = files
  if (first === undefined || !files.some(({ requests }) => requests.some(wanted)))
    return files.map(() => ({ outcomes: [], orphans: 0 }))
  const place = await (engines ?? (await openCaseEngines(embeddedEngines))).openPlace()
  try {
    const orphans = await loadRows(first, place)
    const readers = {
      transactions: await place.store.openReader({ ...transactionsSchema, build: place.build }),
      blocks: await place.store.openReader({ ...blocksSchema, build: place.build }),
    }
    const outcomes: CaseOutcome[] = []
    for (const file of files) outcomes.push({ outcomes: await askAll(file, readers, wanted), orphans })
    for (const reader of Object.values(readers)) await reader.close()
    return outcomes
  } finally {
    await place.close()
  }
}

async function askAll(file: CaseFile, readers: Readers, wanted: Wanted): Promise<RequestOutcome[]> {
  const apps = new Map<string, FastifyInstance>()
  const outcomes: RequestOutcome[] = []
  for (const request of file.requests.filter(wanted)) {
    const config = { ...file.config, ...request.config }
    const key = showConfig(config)
    const app = apps.get(key) ?? openApp(file, config, readers)
    apps.set(key, app)
    outcomes.push({ request, differences: await ask(app, request) })
  }
  for (const app of apps.values()) await app.close()
  return outcomes
}

async function loadRows(file: CaseFile, { log, store, build }: CasePlace): Promise<number> {
  const { blocks, orphans } = eventsOfCase(file)
  const writer = await log.openWriter()
  await writer.append(blocks)
  await writer.close()
  const projections = [transactionsProjection, blocksProjection].map((each) => projectionOfInstance(each, { build }))
  await runProjections({ log, store, projections, follow: false, strict: true })
  return orphans
}

function openApp({ now, rows }: CaseFile, config: CaseConfig, readers: Readers): FastifyInstance {
  const time = Date.parse(now ?? anyInstant)
  return createApp({
    models: fixedModels(readers),
    settings: { ...settingsOf(config), nftOnlyMatches: hasNftMatches(rows) },
    clock: { now: () => time },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
  })
}

/**
 * Whether the recorded service also found transactions by accounts that occur in NFT transfers only. It did so through a
 * table of its own: in cases with rows there such accounts match, in those without they do not.
 */
function hasNftMatches(rows: CaseFile['rows']): boolean {
  return (rows['entity_transaction'] ?? []).length > 0
}

/** The base settings of the recorded answers, and what a case changes. Answers are computed, never kept. */
function settingsOf(config: CaseConfig): HttpSettings {
  const base = defaultHttpSettings
  return {
    ...base,
    maxRepeatedParameters: 8,
    responseCacheEntries: 0,
    docs: false,
    pageSizeDefault: config.page_size_default ?? base.pageSizeDefault,
    pageSizeMax: config.page_size_max ?? base.pageSizeMax,
    bindTimestampRange: config.bind_timestamp_range ?? base.bindTimestampRange,
    boundRangeNs: config.bound_range_ns === undefined ? base.boundRangeNs : BigInt(config.bound_range_ns),
    users: (config.users ?? []).map(({ username, password, page_size_max }) => ({
      username,
      password,
      pageSizeMax: page_size_max,
    })),
  }
}

async function ask(
  app: FastifyInstance,
  { method, url, send_headers, status, headers, body }: CaseRequest,
): Promise<string[]> {
  const answer = await app.inject({ method: method as 'GET', url, headers: { ...send_headers } })
  const found = answer.statusCode === status ? [] : [`status: expected ${status}, got ${answer.statusCode}`]
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (answer.headers[name] !== value)
      found.push(`header ${name}: expected ${value}, got ${String(answer.headers[name])}`)
  }
  if (isUnserved(url, answer.headers)) found.push('this endpoint does not exist yet')
  return body === undefined ? found : [...found, ...bodyDifferences(body, answer.body)]
}

/** Resources of the API. A 404 of one that no route serves is no answer, even where a 404 was recorded. */
const resources = /^\/api\/v1\/(accounts|balances|contracts|network|schedules|tokens|topics)\b/

/** Whether no route took the request: every route tells how fresh its answer is, also when it finds nothing. */
function isUnserved(url: string, headers: Readonly<Record<string, unknown>>): boolean {
  return resources.test(url) && headers[freshnessHeader.toLowerCase()] === undefined
}

function bodyDifferences(expected: unknown, text: string): string[] {
  try {
    return differencesOf(expected, parseExactJson(text))
  } catch {
    return [`body: expected JSON, got ${JSON.stringify(text.slice(0, 100))}`]
  }
}

function showConfig(config: CaseConfig): string {
  return JSON.stringify(config, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
