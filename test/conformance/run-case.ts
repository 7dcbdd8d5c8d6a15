import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { allProjections } from '#projections/index.ts'
import { apiRoutes } from '#queries/index.ts'
import { createApp } from '#src/http/app.ts'
import { freshnessHeader } from '#src/http/freshness.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { amended } from '#test/conformance/amendments/amendment.ts'
import { amendments } from '#test/conformance/amendments/index.ts'
import type { CaseFile, CaseRequest } from '#test/conformance/case-file.ts'
import { overridesOf, settingsWith } from '#test/conformance/case-settings.ts'
import { type CaseEngines, type CasePlace, embeddedEngines, openCaseEngines } from '#test/conformance/engines.ts'
import { eventsOfCase } from '#test/conformance/events-from-rows.ts'
import { differencesOf, parseExactJson } from '#test/conformance/exact-json.ts'
import { parseBytes } from '#test/conformance/row-values.ts'
import { anyInstant } from '#test/conformance/state/recorded-at.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'

/** By name of the read model. */
type Readers = Readonly<Record<string, RowReader>>

export interface RequestOutcome {
  readonly request: CaseRequest
  /** Empty when the answer is the recorded one, as amended. */
  readonly differences: readonly string[]
  /** Names of the amendments that changed the recorded answer. */
  readonly amendments: readonly string[]
  /** Settings that the answer was given with and that are not the product's defaults. */
  readonly settings: readonly string[]
}

export interface CaseOutcome {
  readonly outcomes: readonly RequestOutcome[]
  /** Transactions made for facts whose transaction the case does not have. */
  readonly made: number
}

type Wanted = (request: CaseRequest) => boolean

/** Loads a case through the log and the projections and asks the requests that `wanted` lets through. */
export async function runCase(
  file: CaseFile,
  wanted: Wanted = () => true,
  engines?: CaseEngines,
): Promise<CaseOutcome> {
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
    return files.map(() => ({ outcomes: [], made: 0 }))
  const projections = projectionsFor(files.flatMap(({ requests }) => requests.filter(wanted)))
  const place = await (engines ?? (await openCaseEngines(embeddedEngines))).openPlace()
  try {
    const made = await loadRows(first, place, projections)
    const readers = await openReaders(place, projections)
    const outcomes: CaseOutcome[] = []
    for (const file of files) outcomes.push({ outcomes: await askAll(file, readers, wanted), made })
    for (const reader of Object.values(readers)) await reader.close()
    return outcomes
  } finally {
    await place.close()
  }
}

/** Those that the routes of these requests read: a case asks for little of what there is. */
function projectionsFor(requests: readonly CaseRequest[]): readonly AnyProjection[] {
  const paths = requests.map(({ url }) => url.split('?')[0] ?? '')
  const read = new Set<string>()
  for (const { path, answers } of apiRoutes) {
    const pattern = new RegExp(`^/api/v1${path.replace(/:\w+/g, '[^/]+')}/?$`)
    if (paths.some((each) => pattern.test(each)))
      for (const { reads } of answers) for (const name of Object.keys(reads)) read.add(name)
  }
  return allProjections.filter(({ schema }) => read.has(schema.name))
}

async function openReaders({ store, build }: CasePlace, projections: readonly AnyProjection[]): Promise<Readers> {
  const readers: Record<string, RowReader> = {}
  for (const { schema } of projections) readers[schema.name] = await store.openReader({ ...schema, build })
  return readers
}

async function askAll(file: CaseFile, readers: Readers, wanted: Wanted): Promise<RequestOutcome[]> {
  const apps = new Map<string, FastifyInstance>()
  const outcomes: RequestOutcome[] = []
  for (const request of file.requests.filter(wanted)) {
    const overrides = overridesOf({ ...file.config, ...request.config }, file.rows, request.url)
    const key = showSettings(overrides)
    const app = apps.get(key) ?? openApp(file, overrides, readers)
    apps.set(key, app)
    const { request: expected, names } = amended(file, request, amendments)
    const differences = await ask(app, expected)
    outcomes.push({ request, differences, amendments: names, settings: Object.keys(overrides) })
  }
  for (const app of apps.values()) await app.close()
  return outcomes
}

async function loadRows(
  file: CaseFile,
  { log, store, build }: CasePlace,
  wanted: readonly AnyProjection[],
): Promise<number> {
  const { blocks, made } = eventsOfCase(file)
  const writer = await log.openWriter()
  await writer.append(blocks)
  await writer.close()
  const projections = wanted.map((each) => projectionOfInstance(each, { build }))
  if (projections.length > 0) await runProjections({ log, store, projections, follow: false, strict: true })
  return made
}

function openApp({ now }: CaseFile, overrides: ReturnType<typeof overridesOf>, readers: Readers): FastifyInstance {
  // Where a case names no instant, its answers do not depend on the clock.
  const time = now === null ? Number(anyInstant / 1_000_000n) : Date.parse(now)
  return createApp({
    models: fixedModels(readers, versionsByName(allProjections)),
    routes: apiRoutes,
    settings: settingsWith(overrides),
    clock: { now: () => time },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
  })
}

async function ask(
  app: FastifyInstance,
  { method, url, send_headers, send_body, status, headers, body }: CaseRequest,
): Promise<string[]> {
  const payload = payloadOf(send_body)
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...send_headers },
    ...(payload !== undefined && { payload }),
  })
  const found = answer.statusCode === status ? [] : [`status: expected ${status}, got ${answer.statusCode}`]
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (answer.headers[name] !== value)
      found.push(`header ${name}: expected ${value}, got ${String(answer.headers[name])}`)
  }
  if (answer.statusCode === 404 && isUnserved(url, answer.headers)) found.push('this endpoint does not exist yet')
  if (body === undefined) return found
  const isText = String(answer.headers['content-type']).startsWith('text/plain')
  const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.rawPayload).toString() : answer.body
  return [...found, ...(isText ? textDifferences(body, text) : bodyDifferences(body, text))]
}

function payloadOf(body: unknown): string | Buffer | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? parseBytes(body) : JSON.stringify(body)
}

/** Resources of the API. A 404 of one that no route serves is no answer, even where a 404 was recorded. */
const resources = /^\/api\/v1\/(accounts|balances|contracts|network|schedules|tokens|topics)\b/

/** Whether no route took the request: every route tells how fresh its answer is, also when it finds nothing. Nothing is named by an address that ends with a slash. */
function isUnserved(url: string, headers: Readonly<Record<string, unknown>>): boolean {
  return resources.test(url) && !url.endsWith('/') && headers[freshnessHeader.toLowerCase()] === undefined
}

function textDifferences(expected: unknown, text: string): string[] {
  return expected === text ? [] : [`body: expected ${JSON.stringify(expected)}, got the text ${text}`]
}

function bodyDifferences(expected: unknown, text: string): string[] {
  try {
    return differencesOf(expected, parseExactJson(text))
  } catch {
    return [`body: expected JSON, got ${JSON.stringify(text.slice(0, 100))}`]
  }
}

function showSettings(overrides: object): string {
  return JSON.stringify(overrides, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
