import type { FastifySchema } from 'fastify'
import { dialectOf } from '#queries/common/dialects.ts'
import { objectSchema } from '#queries/common/object-schema.ts'
import type { AnyParameter, ValueSchema } from '#queries/common/parameters.ts'
import type { PathParameters } from '#queries/common/path-parameters.ts'
import type { Payload } from '#queries/common/payload.ts'
import type { ApiRoute } from '#queries/common/route.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import { requestIdHeader } from '#src/http/common-headers.ts'
import { freshnessHeader, waitHeader } from '#src/http/freshness.ts'

const text = { type: 'string' } as const
const messageSchema = objectSchema({ message: text, detail: text }, { title: 'ErrorMessage', optional: ['detail'] })
const statusSchema = objectSchema({ messages: { type: 'array', items: messageSchema } }, { title: 'ErrorStatus' })
const errorSchema = objectSchema({ _status: statusSchema }, { title: 'ErrorBody' })
const time = { ...text, example: '1234567890.000000001' }

const requestHeaders = {
  type: 'object',
  properties: {
    [waitHeader]: {
      ...time,
      pattern: '^\\d{1,10}(\\.\\d{1,9})?$',
      description:
        'Answer once this consensus time, as seconds.nanoseconds, is reflected; 503 when that takes too long',
    },
    [requestIdHeader]: {
      ...text,
      maxLength: 128,
      description: 'Id of the request, for the log; a new one unless given',
    },
  },
}
const everyAnswer = { [requestIdHeader]: { ...text, description: 'Names the request in the log' } }
const goodAnswer = {
  ...everyAnswer,
  [freshnessHeader]: { ...time, description: 'Newest consensus time that the answer reflects' },
  ETag: { ...text, description: 'For If-None-Match: 304 without a body while the answer is the same' },
  'Cache-Control': { ...text, description: 'How long the answer may be kept' },
}
const listAnswer = { ...goodAnswer, Link: { ...text, description: 'The next page, with rel="next"' } }
const laterAnswer = {
  ...everyAnswer,
  'Retry-After': { type: 'integer', description: 'Seconds after which to ask again, where that is known' },
}

/** A route's documentation, from the data that also validates its requests. */
export function documentRoute(route: ApiRoute, settings: QuerySettings): FastifySchema {
  const { pathParameters, parameters, payload, summary, tag } = route
  const described = Object.values(parameters).map((parameter) => documentParameter(parameter, settings))
  return {
    operationId: operationIdOf(route),
    summary,
    tags: [tag],
    ...(pathParameters && { params: documentPath(pathParameters) }),
    ...(described.length > 0 && { querystring: { type: 'object', properties: Object.fromEntries(described) } }),
    headers: requestHeaders,
    ...(payload && documentPayload(payload)),
    response: documentAnswers(route),
  } as FastifySchema
}

/** `GET /blocks/:hashOrNumber` is `getBlocksByHashOrNumber`: the address says it, so that no two are the same. */
function operationIdOf({ method = 'GET', path }: ApiRoute): string {
  const words = path
    .split(/[/.-]/)
    .map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return method.toLowerCase() + words.join('')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

const failureContent = { 'application/json': { schema: errorSchema } }

function documentAnswers(route: ApiRoute): object {
  const { pathParameters, payload, parameters, dialect, statuses = {} } = route
  const failures = {
    400: 'A parameter is invalid',
    ...(pathParameters && { 404: 'Nothing has this id' }),
    ...(dialectOf(dialect).name === 'B' && { 405: 'The address answers to other methods' }),
    ...(payload && { 415: 'The body is of another type' }),
    503: 'The store is away, the search took too long, too many search, or a read model is built for the first time',
  }
  const isList = Object.values(parameters).some(({ name }) => name === 'limit')
  const texts: Readonly<Record<string, string>> = { 200: 'OK', ...failures, ...statuses }
  const documented = Object.entries(texts).map(([status, description]) => {
    const good = Number(status) < 300
    const headers = good ? (isList ? listAnswer : goodAnswer) : status === '503' ? laterAnswer : everyAnswer
    const content = good ? documentContent(route) : otherContentOf(route, status)
    return [status, { description, headers, content }]
  })
  return Object.fromEntries(documented)
}

/** A redirection is empty, and a page says in its own form what its own statuses mean. */
function otherContentOf({ type, body, statuses = {} }: ApiRoute, status: string): object {
  if (status.startsWith('3')) return { 'text/plain': { schema: { type: 'string', maxLength: 0 } } }
  return type !== undefined && status in statuses ? { ...failureContent, [type]: { schema: body } } : failureContent
}

function documentContent({ body, plainText, type = 'application/json' }: ApiRoute): object {
  return {
    [type]: { schema: body },
    ...(plainText !== undefined && { 'text/plain': { schema: { type: 'string', description: plainText } } }),
  }
}

function documentPath(parameters: PathParameters): object {
  const properties = Object.entries(parameters).map(([name, { description, schema }]) => [
    name,
    { ...schema, description },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function documentPayload({ types, description, schema }: Payload<unknown>): object {
  return { consumes: types, body: { description, ...schema } }
}

function documentParameter(parameter: AnyParameter, settings: QuerySettings): [string, object] {
  const { name, description, repeatable, bounds } = parameter
  const schema: ValueSchema = { ...parameter.schema, ...bounds?.(settings) }
  const documented = { description: description + operatorsOf(parameter), ...exampleOf(parameter) }
  return [
    name,
    repeatable
      ? { type: 'array', items: schema, ...documented, explode: true, style: 'form' }
      : { ...schema, ...documented },
  ]
}

/** Only a parameter with an example compares: some take every operator and ignore it. */
function operatorsOf({ operators, example }: AnyParameter): string {
  if (example === undefined) return ''
  return ` Operators: ${operators.join(', ')}; for example \`${example}\`.`
}

function exampleOf({ example, repeatable }: AnyParameter): object {
  if (example === undefined) return {}
  return { example: repeatable ? [example] : example }
}
