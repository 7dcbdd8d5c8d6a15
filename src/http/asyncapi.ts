import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

export const asyncApiPath = '/asyncapi.json'

const document = new URL('../../schemas/events/generated/asyncapi.json', import.meta.url)

/** The description of the events for subscribers, generated from their schemas. Read at the first request and kept. */
export function addAsyncApi(app: FastifyInstance): void {
  let text: Promise<string> | undefined
  app.get(asyncApiPath, { schema: { hide: true } }, async (_request, reply) => {
    text ??= readFile(document, 'utf8')
    return reply.type('application/json; charset=utf-8').send(await text)
  })
}
