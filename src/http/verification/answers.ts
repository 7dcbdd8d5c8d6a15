import type { FastifyInstance } from 'fastify'

const text = { type: 'string' } as const

/** An answer with these fields, and whatever else it says. */
export function objectAnswer(description: string, properties: Readonly<Record<string, object>> = {}) {
  return { description, type: 'object', properties, additionalProperties: true }
}

export function listAnswer(description: string, items: object) {
  return { description, type: 'array', items }
}

export function textAnswer(description: string) {
  return { description, content: { 'text/plain; charset=utf-8': { schema: text } } }
}

/** Of a verification that its request waits for. */
export const outcomeAnswer = objectAnswer('The outcome', {
  result: { type: 'array', items: { type: 'object', additionalProperties: true } },
})

/** The two shapes of `errors.ts`. */
export const errorProperties = {
  message: text,
  error: text,
  code: text,
  errors: { type: 'array', items: { type: 'object', additionalProperties: true } },
}

/** Of the newer API. */
export const jobErrorProperties = { customCode: text, message: text, errorId: text }

/** Says of each route that is added to `scope` from now on how it tells what cannot be answered. */
export function documentErrors(scope: FastifyInstance, properties: Readonly<Record<string, object>>): void {
  const errors = {
    '4xx': objectAnswer('What is wrong with the request, or what is not there', properties),
    '5xx': objectAnswer('Why it cannot be answered at the moment', properties),
  }
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, response: { ...(route.schema?.response as object), ...errors } }
  })
}
