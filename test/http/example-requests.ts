import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type Example, readExamples } from '#src/http/reference/examples.ts'
import { pathsOf } from '#test/oracle/asked-paths.ts'

interface Operation {
  readonly operationId: string
}
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const api = '/api/v1'
/** Most requests until one has something to show. */
const triesMax = 200

/** For each reading operation below the API's prefix, the first of many requests that shows most: no list of it is empty. */
export async function exampleReads(app: FastifyInstance, { paths }: Described): Promise<Record<string, Example>> {
  const asked = await pathsOf(async (path) => (await app.inject(api + path)).json())
  const logs = (await app.inject(`${api}/contracts/results?limit=100`)).json().results
  const replays = logs.flatMap(({ hash }: { hash: string }) => [
    `/contracts/results/${hash}/opcodes?memory=true&storage=true`,
    `/contracts/results/${hash}/prestate`,
  ])
  const found: Record<string, Example> = {}
  const forms = Object.keys(paths).filter(isOfApi).sort(byParameters).map(formOf)
  for (const form of forms) {
    const { get } = paths[form.path] ?? {}
    if (get === undefined) continue
    const own = [...asked, ...replays].map((each) => api + each).filter((each) => firstFit(forms, each) === form)
    const best = await firstWithMost(app, own.slice(0, triesMax))
    if (best !== undefined) found[get.operationId] = best
  }
  return found
}

interface Form {
  readonly path: string
  readonly fits: RegExp
}

function formOf(path: string): Form {
  return { path, fits: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`) }
}

/** What is literal goes before what is any text. */
function byParameters(a: string, b: string): number {
  return a.split('{').length - b.split('{').length
}

function firstFit(forms: readonly Form[], request: string): Form | undefined {
  return forms.find(({ fits }) => fits.test(request))
}

/** What the requests of the kept examples are answered now. */
export async function askedAgain(app: FastifyInstance): Promise<Record<string, Example>> {
  const own = Object.entries(readExamples()).filter(([id, { request }]) => id.startsWith('get') && isOfApi(request))
  return Object.fromEntries(await Promise.all(own.map(async ([id, { request }]) => [id, await ask(app, request)])))
}

export function isOfApi(path: string): boolean {
  return path.startsWith(`${api}/`)
}

async function ask(app: FastifyInstance, request: string): Promise<Example> {
  const { statusCode: status, rawPayload, headers } = await app.inject({ url: request, headers: gzipAccepted })
  return { request, status, answer: JSON.parse(textOf(rawPayload, headers['content-encoding'])) }
}

async function firstWithMost(app: FastifyInstance, asked: readonly string[]): Promise<Example | undefined> {
  let best: Example | undefined
  let bestEmpty = Number.POSITIVE_INFINITY
  for (const request of asked) {
    const example = await ask(app, request)
    const empty = emptyPartsOf(example.answer)
    if (example.status !== 200 || empty >= bestEmpty) continue
    ;[best, bestEmpty] = [example, empty]
    if (empty === 0) break
  }
  return best
}

export const gzipAccepted = { 'accept-encoding': 'gzip' }

/** As it was before it was compressed. */
export function textOf(payload: Buffer, encoding: unknown): string {
  return (encoding === 'gzip' ? gunzipSync(payload) : payload).toString()
}

/** Lists without entries, most of all the list that was asked for, and members without a value: the fewer, the more is shown. */
function emptyPartsOf(value: unknown, emptyList = 1_000): number {
  if (value === null) return 1
  if (Array.isArray(value)) return value.length === 0 ? emptyList : emptyPartsOf(value[0], 10)
  if (typeof value !== 'object') return 0
  const parts = Object.values(value)
  return parts.reduce((sum: number, part) => sum + emptyPartsOf(part, Array.isArray(part) ? emptyList : 10), 0)
}
