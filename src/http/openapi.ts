import type { FastifySchema } from 'fastify'
import type { AnyParameter, Parameters } from '#queries/common/parameters.ts'
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
export function documentRoute(route: ApiRoute<Parameters>): FastifySchema {
  const { id, parameters, summary, tag, body } = route
  return {
    summary,
    tags: [tag],
    ...(id && {
      params: { type: 'object', properties: { [id.name]: { type: 'string', description: id.description } } },
    }),
    ...(Object.keys(parameters).length > 0 && {
      querystring: { type: 'object', properties: Object.fromEntries(Object.values(parameters).map(documentParameter)) },
    }),
    response: {
      200: { description: 'OK', ...body },
      400: { description: 'A parameter is invalid', ...errorSchema },
      ...(id && { 404: { description: 'Nothing has this id', ...errorSchema } }),
      503: { description: 'The store is away, or the search took too long', ...errorSchema },
    },
  } as FastifySchema
}

function documentParameter({ name, description, schema, repeatable }: AnyParameter): [string, object] {
  return [
    name,
    repeatable
      ? { type: 'array', items: schema, description, explode: true, style: 'form' }
      : { ...schema, description },
  ]
}
