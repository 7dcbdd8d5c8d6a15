import type { FastifySchema } from 'fastify'
import { familyOf } from '#queries/common/families.ts'
import type { AnyParameter } from '#queries/common/parameters.ts'
import type { PathParameters } from '#queries/common/path-parameters.ts'
import type { Payload } from '#queries/common/payload.ts'
import type { ApiRoute } from '#queries/common/route.ts'

const errorSchema = {
  type: 'object',
  properties: {
    _status: {
      type: 'object',
      properties: {
        messages: {
          type: 'array',
          items: { type: 'object', properties: { message: { type: 'string' }, detail: { type: 'string' } } },
        },
      },
    },
  },
}

/** A route's documentation, from the data that also validates its requests. */
export function documentRoute(route: ApiRoute): FastifySchema {
  const { pathParameters, parameters, payload, summary, tag } = route
  return {
    summary,
    tags: [tag],
    ...(pathParameters && { params: documentPath(pathParameters) }),
    ...(Object.keys(parameters).length > 0 && {
      querystring: { type: 'object', properties: Object.fromEntries(Object.values(parameters).map(documentParameter)) },
    }),
    ...(payload && documentPayload(payload)),
    response: documentAnswers(route),
  } as FastifySchema
}

function documentAnswers({ pathParameters, payload, family, statuses = {}, body }: ApiRoute): object {
  const failures = {
    400: 'A parameter is invalid',
    ...(pathParameters && { 404: 'Nothing has this id' }),
    ...(familyOf(family).name === 'B' && { 405: 'The address answers to other methods' }),
    ...(payload && { 415: 'The body is of another type' }),
    503: 'The store is away, the search took too long, or a read model is built for the first time',
  }
  const texts: Readonly<Record<string, string>> = { ...failures, ...statuses }
  const documented = Object.entries(texts).map(([status, description]) => [
    status,
    { description, ...(Number(status) < 300 ? body : errorSchema) },
  ])
  return { 200: { description: 'OK', ...body }, ...Object.fromEntries(documented) }
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

function documentParameter({ name, description, schema, repeatable }: AnyParameter): [string, object] {
  return [
    name,
    repeatable
      ? { type: 'array', items: schema, description, explode: true, style: 'form' }
      : { ...schema, description },
  ]
}
