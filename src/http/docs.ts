import { readFile } from 'node:fs/promises'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { nameSchemas } from '#src/http/named-schemas.ts'
import { describeOperations } from '#src/http/reference/describe-operations.ts'
import { readExamples } from '#src/http/reference/examples.ts'
import { pageOptions } from '#src/http/reference/page.ts'
import { tags } from '#src/http/reference/tags.ts'

const asyncApiPath = '/asyncapi.json'
const asyncApiDocument = new URL('../../schemas/events/generated/asyncapi.json', import.meta.url)

const apiPath = '/api/v1'
const docsPath = `${apiPath}/docs`
const title = 'Ledger history API'
const description = `The history of a public ledger, verified, in the form of the established mirror node's REST API. Answers are as of one whole block.

Examples are of a simulated network. Every answer names the newest consensus time that it reflects (\`Ledger-Consensus-Timestamp\`). For those who subscribe to the events behind it: [AsyncAPI document](${asyncApiPath})`
const yamlType = 'application/yaml; charset=utf-8'

/** The description of all routes that are added later, and its interactive page, which is also where nothing else stands. */
export function addDocs(app: FastifyInstance, hasHome: boolean): void {
  app.register(fastifySwagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title,
        description,
        version: '1',
      },
      tags: [...tags],
      servers: [{ url: '/', description: 'The server that this description comes from' }],
    },
    transformObject: (documented) =>
      'openapiObject' in documented
        ? describeOperations(nameSchemas(documented.openapiObject), readExamples())
        : documented.swaggerObject,
  })
  for (const path of hasHome ? [apiPath] : ['/', apiPath]) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.redirect(`${docsPath}/`))
  }
  app.register(fastifySwaggerUi, pageOptions(title, docsPath))
  app.get(`${docsPath}/openapi.json`, { schema: { hide: true } }, () => app.swagger())
  for (const extension of ['yml', 'yaml']) {
    app.get(`${docsPath}/openapi.${extension}`, { schema: { hide: true } }, (_request, reply) =>
      reply.type(yamlType).send(app.swagger({ yaml: true })),
    )
  }
  addAsyncApi(app)
}

/** The description of the events for subscribers, generated from their schemas. Read at the first request and kept. */
function addAsyncApi(app: FastifyInstance): void {
  let text: Promise<string> | undefined
  app.get(asyncApiPath, { schema: { hide: true } }, async (_request, reply) => {
    text ??= readFile(asyncApiDocument, 'utf8')
    return reply.type('application/json; charset=utf-8').send(await text)
  })
}
