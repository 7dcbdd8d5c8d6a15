import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { blocksProjection } from '#projections/blocks/projection.ts'
import { transactionsProjection } from '#projections/transactions/projection.ts'
import { answerable } from '#queries/common/route.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { adopt, markBuilt, planRebuild, promote, rollBack } from '#src/operations/decide.ts'
import type { Plan } from '#src/operations/plan.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import type { LogWriter } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'
import { nextBlocks, routesOfBothVersions } from '#test/support/blocks-next-version.ts'
import { recordOf } from '#test/support/events.ts'
import { instanceId } from '#test/support/read-model-versions.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
const at = '2024-01-01T00:00:00Z'
const projections = [transactionsProjection, blocksProjection, nextBlocks]
const schemas = projections.map(({ schema }) => schema)
const current = instanceId('blocks')
const next = String(nextBlocks.schema.version)
const list = '/api/v1/blocks?limit=2'

interface Server {
  readonly models: ServedModels
  readonly url: string
  /** Readers that were closed, by read model and version. */
  readonly closed: string[]
  stop(): Promise<void>
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let control: ReturnType<typeof openSqliteControlStore>
let ending: AbortController
/** When nothing is written any more. */
let ended: Promise<void>
let servers: Server[]

beforeEach(async () => {
  folder = await temporaryFolder()
  control = openSqliteControlStore({ folder: folder.path })
  ending = new AbortController()
  servers = []
  const log = openSqliteLog({ folder: folder.path })
  const store = openSqliteReadStore({ folder: folder.path })
  const writer = await log.openWriter()
  await writer.append([Array.from({ length: 50 }, (_, number) => blockRecord(number))])
  await runProjections({ log, store, projections, follow: false, strict: true })
  const running = [writeOn(writer), runProjections({ log, store, projections, follow: true, signal: ending.signal })]
  ended = Promise.all(running).then(async () => {
    await store.close()
    await log.close()
  })
  await change((plan) => adopt(plan, [transactionsProjection.schema, blocksProjection.schema], at))
  await change((plan) => planRebuild(plan, [nextBlocks.schema], { name: 'blocks' }, at).plan)
  await change((plan) => markBuilt(plan, 'blocks', next))
})

afterEach(async () => {
  for (const server of servers) await server.stop()
  ending.abort()
  await ended
  await control.close()
  await folder.remove()
})

function blockRecord(number: number) {
  return recordOf('BlockRecorded', {
    number: BigInt(number),
    name: `block ${number}`,
    hash: Buffer.alloc(48, number % 256),
    previousHash: Buffer.alloc(48),
    consensusStart: start + BigInt(number) * second,
    consensusEnd: start + BigInt(number) * second + 1n,
    count: 1n,
  })
}

/** A ledger that goes on, so that freshness can be compared. */
async function writeOn(writer: LogWriter): Promise<void> {
  for (let number = 50; !ending.signal.aborted; number++) {
    await writer.append([[blockRecord(number)]])
    await sleep(10)
  }
  await writer.close()
}

async function change(decide: (plan: Plan) => Plan): Promise<void> {
  await changePlan(control, decide)
}

/** A query process of its own: nothing is shared but the folder. */
async function serve({
  routes = routesOfBothVersions,
  logger = silentLogger,
}: {
  routes?: typeof routesOfBothVersions
  logger?: Logger
} = {}): Promise<Server> {
  const stopped = new AbortController()
  const closed: string[] = []
  const stores = {
    controlStore: openSqliteControlStore({ folder: folder.path }),
    readStore: closing(openSqliteReadStore({ folder: folder.path }), closed),
  }
  const models = new ServedModels({ schemas: answerable(routes, schemas), logger })
  await models.poll(stores)
  const following = models.follow(stores, stopped.signal)
  const settings = { ...defaultHttpSettings, docs: false, maxWaitMs: 1_500 }
  const readiness = async () => ({ ready: models.problem === undefined })
  const app = createApp({ models, settings, clock: { now: () => Date.parse(at) }, logger, readiness, routes })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const server = {
    models,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    closed,
    async stop() {
      await app.close()
      stopped.abort()
      await following
      await models.close()
      await stores.readStore.close()
      await stores.controlStore.close()
    },
  }
  servers.push(server)
  return server
}

/** The store, noting which readers are closed. */
function closing(store: ReadStore, closed: string[]): ReadStore {
  return {
    openWriter: (schema) => store.openWriter(schema),
    remove: (schema) => store.remove(schema),
    close: () => store.close(),
    async openReader(schema) {
      const reader = await store.openReader(schema)
      const close = reader.close.bind(reader)
      reader.close = async () => {
        await close()
        closed.push(`${schema.name} ${schema.version}`)
      }
      return reader
    },
  }
}

interface Seen {
  readonly atMs: number
  readonly status: number
  readonly version: string
  readonly freshness: string
}

/** A client that asks until it is told to stop, one request after the other. */
async function askOn(url: string, seen: Seen[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await fetch(url + list)
    const body = (await answer.json()) as { version?: number }
    const freshness = answer.headers.get('ledger-consensus-timestamp') ?? ''
    seen.push({ atMs: performance.now(), status: answer.status, version: String(body.version ?? current), freshness })
  }
}

it('moves every process to another version and back under load, within a second and without a failed request', async () => {
  const both = [await serve(), await serve()]
  const stop = new AbortController()
  const clients = both.flatMap(({ url }) => [url, url]).map((url) => ({ url, seen: [] as Seen[] }))
  const asking = clients.map(({ url, seen }) => askOn(url, seen, stop.signal))
  const versionsSeen = (): string[] => clients.map(({ seen }) => seen.at(-1)?.version ?? '')
  await vi.waitFor(() => expect(versionsSeen()).toEqual([current, current, current, current]))

  const promotedMs = performance.now()
  await change((plan) => promote(plan, [{ name: 'blocks' }]))
  await vi.waitFor(() => expect(versionsSeen()).toEqual([next, next, next, next]), { interval: 5, timeout: 5_000 })
  const switchMs = performance.now() - promotedMs
  await vi.waitFor(() =>
    expect(both.map(({ closed }) => closed)).toEqual([[`blocks ${current}`], [`blocks ${current}`]]),
  )
  expect(both.map(({ models }) => models.read)).toEqual(
    both.map(() => ({ transactions: instanceId('transactions'), blocks: next })),
  )

  const rolledBackMs = performance.now()
  await change((plan) => rollBack(plan, ['blocks']))
  await vi.waitFor(() => expect(versionsSeen()).toEqual([current, current, current, current]), {
    interval: 5,
    timeout: 5_000,
  })
  const backMs = performance.now() - rolledBackMs
  stop.abort()
  await Promise.all(asking)

  expect(Math.max(switchMs, backMs)).toBeLessThan(1_000)
  for (const { seen } of clients) {
    expect(seen.filter(({ status }) => status !== 200)).toEqual([])
    const turns = seen.map(({ version }) => version).filter((version, index, all) => version !== all[index - 1])
    expect(turns).toEqual([current, next, current])
    const times = seen.map(({ freshness }) => freshness)
    expect(times).toEqual(times.toSorted())
    expect(new Set(times).size).toBeGreaterThan(2)
  }
})

it('lets a request that has begun end on the version it began with, and keeps that version readable so long', async () => {
  const server = await serve()
  const waiting = fetch(server.url + list, { headers: { 'ledger-wait-for': '9999999999.0' } })
  await vi.waitFor(() => expect(server.models.serving.map(({ requests }) => requests)).toContain(1))
  await change((plan) => promote(plan, [{ name: 'blocks' }]))
  await vi.waitFor(() =>
    expect(server.models.serving.every(({ name, id }) => name !== 'blocks' || id === next)).toBe(true),
  )
  expect(server.closed).toEqual([])
  expect(server.models.read).toEqual({ transactions: instanceId('transactions'), blocks: current })
  expect((await waiting).status).toBe(503)
  await vi.waitFor(() => expect(server.models.read).toEqual({ transactions: instanceId('transactions'), blocks: next }))
  expect(server.closed).toEqual([`blocks ${current}`])
})

it('serves on with what it served when it has no routes for the version that is to serve, and says so once', async () => {
  const warnings: object[] = []
  const logger = { ...silentLogger, warn: (fields: object) => warnings.push(fields) }
  const old = await serve({
    routes: routesOfBothVersions.map((route) => ({
      ...route,
      answers: route.answers.filter(({ reads }) => reads['blocks']?.version !== nextBlocks.schema.version),
    })),
    logger,
  })
  const other = await serve()
  await change((plan) => promote(plan, [{ name: 'blocks' }]))
  await vi.waitFor(() =>
    expect(other.models.serving.every(({ name, id }) => name !== 'blocks' || id === next)).toBe(true),
  )
  await vi.waitFor(() =>
    expect(old.models.problem).toContain(`blocks ${next} should serve, which this code cannot answer from`),
  )
  expect((await fetch(old.url + list)).status).toBe(200)
  expect((await fetch(`${old.url}/health/readiness`)).status).toBe(503)
  expect(warnings).toMatchObject([{ code: 'version_unknown' }])
  await change((plan) => rollBack(plan, ['blocks']))
  await vi.waitFor(() => expect(old.models.problem).toBeUndefined())
})

it('does not give an answer kept of one version for another', async () => {
  const server = await serve()
  ending.abort()
  await ended
  const ask = async () => (await fetch(server.url + list)).headers.get('etag')
  const first = await ask()
  expect(await ask()).toBe(first)
  expect(await ask()).toBe(first)
  await change((plan) => promote(plan, [{ name: 'blocks' }]))
  await vi.waitFor(() =>
    expect(server.models.serving.every(({ name, id }) => name !== 'blocks' || id === next)).toBe(true),
  )
  expect(first).toMatch(new RegExp(`^W/"${current}\\.[\\w-]{8}-`))
  expect(await ask()).toMatch(new RegExp(`^W/"${next}\\.[\\w-]{8}-`))
})
