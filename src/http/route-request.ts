import type { FastifyRequest } from 'fastify'
import type { Dialect } from '#queries/common/dialects.ts'
import { invalidParameters, notFound } from '#queries/common/errors.ts'
import type { Filters, Parameters } from '#queries/common/parameters.ts'
import { Refusal } from '#queries/common/parameters.ts'
import type { PathParameters } from '#queries/common/path-parameters.ts'
import type { Payload } from '#queries/common/payload.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { ApiRoute, QueryRequest } from '#queries/common/route.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import { LedgerError } from '#src/domain/errors.ts'

type RouteQuery = QueryRequest<Parameters, PathParameters, unknown>

interface ReadOptions {
  readonly route: ApiRoute
  readonly dialect: Dialect
  readonly settings: QuerySettings
  readonly request: FastifyRequest
}

const noPathParameters: PathParameters = {}

/** Throws `not_found` for an address that only seems to be one of the route's. */
export function assertAddress(
  { pathParameters = noPathParameters }: ApiRoute,
  { name }: Dialect,
  request: FastifyRequest,
): void {
  if (name === 'B') {
    const { path } = splitUrl(request.url)
    if (path !== '/' && path.endsWith('/')) throw noResource(path)
  }
  // Two slashes at the end name nothing.
  const values = request.params as Readonly<Record<string, string>>
  for (const each in pathParameters) if (!values[each]) throw notFound()
}

/** In the words of dialect B: nothing answers at this address. */
export function noResource(path: string): LedgerError {
  const resource = path.replace(/^\//, '').replace(/\/$/, '')
  return notFound(`No static resource ${resource} for request '${path}'.`)
}

/** What a route's answer is asked. Throws `invalid_parameter` for what is wrong, in the order that the route says. */
export function readRequest({ route, dialect, settings, request }: ReadOptions): RouteQuery {
  const { pathParameters = noPathParameters, parameters, checksFirst = dialect.checksFirst } = route
  const { path, queryText } = splitUrl(request.url)
  const query = dialect.parseQueryString(queryText, settings)
  const read = new RouteRequest(path, query, request, () => dialect.parseQuery(query, parameters, settings))
  if (route.payload !== undefined) assertType(route.payload, request)
  if (checksFirst === 'query') void read.filters
  read.params = dialect.parsePath(pathParameters, request.params as Readonly<Record<string, string>>, settings)
  if (checksFirst === 'path') void read.filters
  if (route.payload !== undefined) read.payload = readPayload(route.payload, request)
  return read
}

/** Reads its filters when they are asked for first. */
class RouteRequest implements RouteQuery {
  readonly path: string
  readonly query: QueryParameters
  params: Readonly<Record<string, unknown>> = noPathParameters
  payload: unknown
  readonly acceptsGzip: boolean
  readonly #readFilters: () => Filters<Parameters>
  #filters: Filters<Parameters> | undefined

  constructor(
    path: string,
    query: QueryParameters,
    { headers }: FastifyRequest,
    readFilters: () => Filters<Parameters>,
  ) {
    this.path = path
    this.acceptsGzip = /\bgzip\b/i.test(String(headers['accept-encoding'] ?? ''))
    this.query = query
    this.#readFilters = readFilters
  }

  get filters(): Filters<Parameters> {
    this.#filters ??= this.#readFilters()
    return this.#filters
  }
}

function assertType({ types }: Payload<unknown>, { headers }: FastifyRequest): void {
  const type = headers['content-type'] ?? ''
  if (types.includes(type.split(';', 1)[0]!.trim().toLowerCase())) return
  const text = type.replaceAll(/;\s+/g, ';')
  throw new LedgerError('media_type_unsupported', `Content-Type '${text}' is not supported`)
}

/** What the body holds, which the server handed over as bytes. */
function readPayload({ parse }: Payload<unknown>, { body }: FastifyRequest): unknown {
  const value = body instanceof Uint8Array && body.length > 0 ? parse(body) : undefined
  if (value === undefined) throw invalidParameters(['Failed to read request'])
  if (value instanceof Refusal) throw invalidParameters([value.message])
  return value
}

export function splitUrl(url: string): { path: string; queryText: string } {
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, queryText: '' } : { path: url.slice(0, mark), queryText: url.slice(mark + 1) }
}
