import { createHash } from 'node:crypto'
import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { servedRoutes } from '#queries/index.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import { createApp } from '#src/http/app.ts'
import { descriptions } from '#src/http/reference/descriptions.ts'
import { type Example, readExamples } from '#src/http/reference/examples.ts'
import { tags } from '#src/http/reference/tags.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { statusCommandPath, statusDraftsPath } from '#src/http/status-commands.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { everyKind } from '#test/bench/every-kind.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { askedAgain, type Described, exampleReads, gzipAccepted, isOfApi, textOf } from '#test/http/example-requests.ts'
import { driftOf, holdExamples, records } from '#test/http/recorded-examples.ts'
import { VerificationExamples } from '#test/http/verification-examples.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { importNetwork } from '#test/oracle/imported-network.ts'
import { signed } from '#test/queries/network-files/submitted.ts'
import { longStory, storyNow } from '#test/queries/status/long-story.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}
interface Content {
  readonly schema: object
  readonly example?: unknown
}

type Description = Described & {
  readonly components: object
  readonly tags: readonly { readonly name: string }[]
}

const { accounts, mix } = everyKind
const blocks = 16
const contractCalls = { ...defaultCallSettings, tracesPerSecond: 1_000 }
const token = 'example'
const authorization = { authorization: `Bearer ${token}` }
const json = 'application/json'

const measured = { metric: 'http_error_ratio', at: Date.parse(storyNow), value: 0.001, position: 4_711 }
const health: LiveHealth = {
  components: [{ component_id: 'grp0000reads', status: 'operational', figures: [measured] }],
  completeUntil: 1_767_484_799_957_068_876n,
  leftOut: [],
}

let world: ImportWorld
let app: FastifyInstance
let page: StatusPage
let commands: ServiceFixture
let operations: Operation[]
let described: Description
let verification: VerificationExamples
/** Of the operations that verify contracts, which describe themselves. */
let verifying: Operation[]

beforeAll(async () => {
  ;({ world } = await importNetwork(
    { seed: 'examples', accounts, mix, transactionsPerSecond: 40, dayBlocks: 5 },
    blocks,
  ))
  const { log, store } = world
  await runProjections({ log, store, projections: allProjections, follow: false, strict: true })
  const readers: Record<string, RowReader> = {}
  for (const { schema } of allProjections) readers[schema.name] = await store.openReader(schema)
  commands = new ServiceFixture()
  const sha256 = createHash('sha256').update(token).digest('hex')
  app = createApp({
    models: fixedModels(readers, versionsByName(allProjections)),
    routes: servedRoutes,
    settings: { ...defaultHttpSettings, answerCacheBytesMax: 0, contractCalls },
    clock: { now: () => commands.time },
    logger: silentLogger,
    readiness: async () => ({ ready: true }),
    status: async () => ({}),
    metrics: { contentType: 'text/plain', render: async () => '' },
    statusCommands: {
      service: commands.service,
      tokens: () => [{ name: 'alice', role: 'operator', sha256 }],
      commandsPerMinuteMax: 10,
    },
  })
  page = await openStatusPage({ now: storyNow, health })
  await page.tell(longStory)
  described = (await app.inject('/api/v1/docs/openapi.json')).json()
  operations = operationsOf(described)
  verification = await VerificationExamples.begin()
  const document: Description = (await verification.fixture.get('/api/v1/docs/openapi.json')).body
  verifying = operationsOf(document).filter(({ tags: [tag] }) => tag === 'verification')
}, 300_000)
afterAll(async () => {
  await app?.close()
  await page?.close()
  await verification?.end()
  await world?.store.close()
  await world?.log.close()
})

it('describes every operation in words, and none that is not there', () => {
  expect(operations.filter(({ description = '' }) => description.length < 10)).toEqual([])
  const ids = operations.map(({ operationId }) => operationId)
  expect(Object.keys(descriptions).filter((id) => !ids.includes(id))).toEqual([])
  expect(ids.filter((id) => descriptions[id] === undefined)).toEqual([])
})

it('groups them from the ledger to the health of the service', () => {
  expect(described.tags).toEqual(tags)
  const names = tags.map(({ name }) => name)
  expect([names[0], names.at(-1)]).toEqual(['transactions', 'health'])
  // Where contracts are verified, that has operations, too; they are described by themselves.
  const others = names.filter((name) => name !== 'verification')
  expect(new Set(operations.flatMap((operation) => operation.tags))).toEqual(new Set(others))
})

describe('an example', () => {
  it('is there for every operation, and of the form that its schema says', () => {
    const examples = readExamples()
    const all = [...operations, ...verifying]
    expect(Object.keys(examples).sort()).toEqual(all.map(({ operationId }) => operationId).sort())
    // Texts are cut, so that their patterns do not hold.
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ ...withoutPatterns({ components: described.components }), $id: 'api' })
    for (const { operationId, responses } of all) {
      const status = String(examples[operationId]?.status)
      const { schema, example } = contentOf(responses[status]?.content)
      const validate = ajv.compile(withoutPatterns(rooted(schema)))
      expect({ operationId, valid: validate(example), errors: validate.errors }).toEqual({
        operationId,
        valid: true,
        errors: null,
      })
    }
  })

  it('of the history is what a simulated network is answered', { timeout: 120_000 }, async () => {
    const found = records ? await exampleReads(app, described) : await askedAgain(app)
    const reads = Object.entries(described.paths).flatMap(([path, { get }]) => (get && isOfApi(path) ? [get] : []))
    expect(Object.keys(found).sort()).toEqual(reads.map(({ operationId }) => operationId).sort())
    holdExamples(found)
  })

  it('of what is posted is what a simulated network is answered', async () => {
    const [contract] = (await app.inject('/api/v1/tokens?type=FUNGIBLE_COMMON&limit=1')).json().tokens
    const number = BigInt(contract.token_id.split('.')[2])
    const called = { to: `0x${number.toString(16).padStart(40, '0')}`, data: '0x06fdde03' }
    const sent = { ...called, block: 'latest' }
    const transfer = signed({ transactionID: { accountID: { accountNum: 1001n } }, cryptoTransfer: {} })
    holdExamples({
      postContractsCall: await post('/api/v1/contracts/call', sent, json),
      postContractsCallActions: await post('/api/v1/contracts/call/actions', sent, json),
      postContractsSimulate: await post(
        '/api/v1/contracts/simulate',
        { block_state_calls: [{ calls: [called] }] },
        json,
      ),
      postNetworkFees: await post('/api/v1/network/fees', Buffer.from(transfer), 'application/protobuf'),
    })
  })

  it('of the status page is what its story comes to', async () => {
    const own = operations.filter(({ tags: [tag] }) => tag === 'status')
    const paths = new Map(
      Object.entries(described.paths).flatMap(([path, { get }]) => (get ? [[get.operationId, path] as const] : [])),
    )
    const ids = { getComponentsByIdUptimeJson: 'grp0000reads', getUptimeFromById: 'grp0000reads' }
    const [{ incident_updates: updates }] = JSON.parse(await page.get('/api/v2/incidents.json')).incidents
    const found: Record<string, Example> = {}
    for (const { operationId } of own) {
      const path = paths.get(operationId)
      if (path === undefined || path.startsWith('/status/v1')) continue
      const id = ids[operationId as keyof typeof ids] ?? updates[0].incident_id
      const request = path.replace('{id}', id).replace('{update}', updates[0].id)
      const { statusCode: status, body, headers } = await page.app.inject(request)
      const answer = String(headers['content-type']).startsWith(json) ? JSON.parse(body) : body
      found[operationId] = { request, status, answer }
    }
    holdExamples(found)
  })

  it('of a verification is what a compiled contract and its clones are answered', { timeout: 120_000 }, async () => {
    const found = await verification.all()
    expect(Object.keys(found).sort()).toEqual(verifying.map(({ operationId }) => operationId).sort())
    holdExamples(found)
  })

  it('of a command is what came of it', async () => {
    await commands.do('CreateComponent', { id: 'cmp000000001', name: 'Reads' })
    const evidence = {
      metric: 'http_error_ratio',
      value: 0.2,
      reason: 'level',
      since: '2026-02-03T14:05:00.000Z',
      checked_at: null,
      position: null,
      caused_by: null,
    } as const
    const health = { id: 'cmp000000001', status: 'partial_outage', evidence } as const
    await commands.do('RecordComponentHealth', health, { role: 'automation' })
    const drafts = await app.inject({ url: statusDraftsPath, headers: authorization })
    const command = { type: 'OpenIncident', name: 'Reads are slow', command_id: 'c-1' }
    holdExamples({
      getStatusDrafts: { request: statusDraftsPath, status: drafts.statusCode, answer: drafts.json() },
      postStatusCommands: await post(statusCommandPath, command, json),
    })
  })

  it('that has lost a member, or has one more, is noticed', () => {
    const kept = { request: '/', status: 200, answer: { list: [{ a: 1, b: null }], text: 'x' } }
    const now = (answer: unknown): Example => ({ ...kept, answer })
    expect(driftOf(kept, now({ list: [{ a: 2, b: 'now and then' }], text: 'y' }))).toEqual([])
    expect(driftOf(kept, now({ list: [{ a: '2', b: 1, c: 1 }] }))).toEqual([
      'list[].a number is string',
      '+ list[].c',
      '- text',
    ])
    expect(driftOf(undefined, kept)).toEqual(['no example is kept'])
  })
})

function operationsOf({ paths }: Description): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path) as unknown as Operation[])
}

async function post(url: string, payload: object, type: string): Promise<Example> {
  const accepted = url.startsWith('/api/') ? gzipAccepted : authorization
  const sentHeaders = { 'content-type': type, ...accepted }
  const answered = await app.inject({ method: 'POST', url, headers: sentHeaders, payload })
  const { statusCode: status, rawPayload, headers } = answered
  const sent = type === json ? { sent: payload } : {}
  return { request: url, ...sent, status, answer: JSON.parse(textOf(rawPayload, headers['content-encoding'])) }
}

function contentOf(content: Readonly<Record<string, Content>> | undefined): Content {
  const [first] = Object.values(content ?? {})
  if (first === undefined) throw new Error('an operation describes no content of its answer')
  return first
}

/** References of the document, as those of the schema that it is part of. */
function rooted(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))
}

function withoutPatterns(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === 'pattern' ? undefined : value)))
}
