import { afterAll, beforeAll, expect, it } from 'vitest'
import { nameSchemas } from '#src/http/named-schemas.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description: string }[]
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: object }>>
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> }
}

let ledger: TestLedger
let description: Description

beforeAll(async () => {
  ledger = await openTestLedger()
  const { service } = new ServiceFixture()
  const statusCommands = { service, tokens: () => [], commandsPerMinuteMax: 1 }
  const app = ledger.app({ docs: true, pageSizeDefault: 20, pageSizeMax: 50 }, { statusCommands })
  description = (await app.inject('/api/v1/docs/openapi.json')).json()
})
afterAll(() => ledger.close())

const parameterOf = (path: string, name: string): unknown =>
  description.paths[path]?.['get']?.parameters?.find((parameter) => parameter.name === name)

it('gives every operation an id of its own', () => {
  const ids = Object.values(description.paths).flatMap((path) => Object.values(path).map((each) => each.operationId))
  expect(ids).toContain('getBlocksByHashOrNumber')
  expect(ids).toContain('getHealthLiveness')
  expect(ids).toEqual(expect.arrayContaining(['postStatusCommands', 'getStatusDrafts']))
  expect(ids).not.toContain(undefined)
  expect(new Set(ids).size).toBe(ids.length)
})

it('names the schemas of answers, and says which fields are always there', () => {
  const { schemas } = description.components
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      'Block',
      'BlockList',
      'DetailedTransaction',
      'ErrorBody',
      'Links',
      'Transaction',
      'Transfer',
    ]),
  )
  expect(schemas['Links']?.required).toEqual(['next'])
  expect(schemas['Transaction']?.required).toContain('consensus_timestamp')
  expect(schemas['DetailedTransaction']?.required).not.toContain('assessed_custom_fees')
  const answers = description.paths['/api/v1/transactions']?.['get']?.responses
  expect(answers?.['200']?.content).toMatchObject({
    'application/json': { schema: { $ref: '#/components/schemas/TransactionList' } },
  })
  expect(answers?.['400']?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } },
  })
})

it('tells defaults and maxima as the process has them', () => {
  expect(parameterOf('/api/v1/transactions', 'limit')).toMatchObject({
    schema: { type: 'integer', minimum: 1, default: 20, maximum: 50 },
  })
  expect(parameterOf('/api/v1/transactions', 'order')).toMatchObject({ schema: { default: 'desc' } })
})

it('shows how values are compared', () => {
  expect(parameterOf('/api/v1/transactions', 'timestamp')).toMatchObject({
    description: expect.stringContaining('Operators: eq, ne, gt, gte, lt, lte; for example `gte:1234567890.000000001`'),
  })
})

it('names the headers that may be sent and those that come', () => {
  expect(parameterOf('/api/v1/blocks', 'Ledger-Wait-For')).toMatchObject({ in: 'header', schema: { type: 'string' } })
  const { responses } = description.paths['/api/v1/blocks']!['get']!
  const headers = ['Ledger-Consensus-Timestamp', 'Request-Id', 'ETag', 'Link', 'Cache-Control']
  expect(Object.keys(responses['200']?.headers ?? {})).toEqual(expect.arrayContaining(headers))
  expect(Object.keys(responses['503']?.headers ?? {})).toContain('Retry-After')
})

it.each(['/', '/api/v1', '/api/v1/'])('leads from %s to the documentation', async (url) => {
  const answer = await ledger.app({ docs: true }).inject(url)
  expect([answer.statusCode, answer.headers['location']]).toEqual([302, '/api/v1/docs/'])
})

it('finds nothing there where the documentation is off', async () => {
  expect((await ledger.app({ docs: false }).inject('/')).statusCode).toBe(404)
})

it('refuses two schemas with one name', () => {
  const schema = (type: string) => ({ title: 'Thing', type })
  expect(() => nameSchemas({ paths: { a: schema('string'), b: schema('integer') } })).toThrow(/two schemas .* Thing/)
})
