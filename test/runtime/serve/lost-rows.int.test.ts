import { copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineRoute } from '#queries/common/route.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { typedRows } from '#src/ports/read-store.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'
import { ServingWatch } from '#src/runtime/serve/status-readiness.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'
import { TestDeployment } from '#test/runtime/replay/deployment.ts'
import { balancesProjection, timesProjection } from '#test/support/sample-projections.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

vi.setConfig({ testTimeout: 60_000 })

const events = 400
const times = timesProjection()
const balances = balancesProjection()
const parts = { summary: '', tag: '', parameters: {}, maxAge: 1, body: {} }
const routes = [
  defineRoute({
    ...parts,
    path: '/times',
    answers: [
      {
        reads: { times: times.schema },
        answer: async (_, { rows }) => {
          const query = { collection: 'memos', index: ['sequence'], limit: 1_000, select: ['memo'] }
          const memos = await typedRows(rows.times as never).find(query as never)
          // Facts never change, so the place tells the answer.
          return { body: JSON.stringify(memos), tag: 'facts' }
        },
      },
    ],
  }),
  defineRoute({
    ...parts,
    path: '/balances',
    answers: [{ reads: { balances: balances.schema }, answer: async () => ({ body: '"all"' }) }],
  }),
]

let folder: string
let deployment: TestDeployment

beforeEach(async () => {
  const place = await temporaryFolder()
  folder = place.path
  deployment = new TestDeployment(folder)
  onTestFinished(async () => {
    await deployment.close()
    await place.remove()
  })
  await deployment.publish(memosOf('ours'))
})

function memosOf(text: string): string[] {
  return Array.from({ length: events }, (_, index) => `${text} ${index} ${'x'.repeat(60)}`)
}

/** Whoever projects: both read models reach the end of the log, unless one cannot. */
async function project(at: TestDeployment = deployment, done = [times, balances]) {
  const supervisor = at.supervise([times, balances], { isOneOfSeveral: true })
  const reached = async () => {
    for (const { schema } of done) expect(await at.positionOf(schema)).toBe(events)
  }
  await vi.waitFor(reached, { timeout: 30_000, interval: 20 })
  return supervisor
}

/** A serving process that is polled by the test. */
async function serve() {
  const readStore = openSqliteReadStore({ folder })
  const now = (): number => performance.now()
  const heads = new LogHeads({ openLog: (generation) => deployment.openLog(generation), now })
  const models = new ServedModels({
    schemas: [times.schema, balances.schema],
    logger: silentLogger,
    lookEveryMs: 0,
    assertFilled: (model: ServedModel): Promise<void> => watch.assertFilled(model),
    identityOf: async (generation) => (await heads.ask(generation)).identity,
  })
  const watch = new ServingWatch({ models, names: ['times', 'balances'], heads, lagBudgetSeconds: 60, now })
  const app = createApp({
    models,
    settings: { ...defaultHttpSettings, docs: false },
    clock: { now: () => 0 },
    logger: silentLogger,
    readiness: () => watch.measure(),
    routes,
  })
  const close = async () => {
    await app.close()
    await models.close()
    await readStore.close()
  }
  onTestFinished(close)
  const poll = () => models.poll({ controlStore: deployment.control, readStore })
  await poll()
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { statusCode: status, body, headers: said } = await app.inject({ url: `/api/v1/${path}`, headers })
    return { status, body, etag: String(said['etag']), retryAfter: said['retry-after'] }
  }
  return { poll, ask, close, readiness: () => watch.measure() }
}

/** Everything is built, and was served; nothing runs. */
async function standing() {
  const supervisor = await project()
  const server = await serve()
  await server.readiness()
  const before = await server.ask('times')
  expect(before.status).toBe(200)
  // What is filled is told to all, and that these rows were.
  await vi.waitFor(async () => {
    await server.poll()
    expect((await readPlan(deployment.control)).readModels['times']?.instances['1']?.rows).toMatch(/^[\w-]{8}$/)
  })
  await server.close()
  await supervisor.end()
  return before
}

const file = (name = 'times@1') => join(folder, `${name}.sqlite`)

function remove(name?: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file(name) + suffix, { force: true })
}

/** The rows that another ledger's deployment has under the same name. */
async function ofAnotherLedger(): Promise<string> {
  const place = await temporaryFolder()
  const other = new TestDeployment(place.path)
  onTestFinished(async () => {
    await other.close()
    await place.remove()
  })
  await other.publish(memosOf('theirs'))
  await (await project(other)).end()
  return join(place.path, 'times@1.sqlite')
}

const harms = {
  removed: async () => remove(),
  emptied: async () => truncateSync(file(), 0),
  'cut off': async () => truncateSync(file(), Math.floor(statSync(file()).size / 2)),
  'of another read model': async () => copyFileSync(file('balances@1'), file()),
  'of another ledger': async () => copyFileSync(await ofAnotherLedger(), file()),
} as const

/** Those after which the rows are folded again by themselves. */
const healing = new Set<string>(['removed', 'emptied'])

describe('a read model whose file was', () => {
  it.each(Object.entries(harms))(
    '%s while nothing ran is not answered from, and named; all others are',
    async (harm, inflict) => {
      const before = await standing()
      expect(existsSync(`${file()}-wal`)).toBe(false)
      await inflict()
      const server = await serve()
      for (let asked = 0; asked < 2; asked++) {
        const { status, body, retryAfter } = await server.ask('times')
        expect([status, Number(retryAfter) > 0], body).toEqual([503, true])
        expect(body).toMatch(healing.has(harm) ? /times 1 is built again/ : /times 1 cannot be answered from/)
        expect(body).not.toContain(folder)
      }
      expect((await server.ask('balances')).status).toBe(200)
      const { ready, reasons } = await server.readiness()
      expect([ready, reasons.length], JSON.stringify(reasons)).toEqual([false, 1])
      expect(reasons[0]).toMatch(
        healing.has(harm)
          ? /^times 1 is built again, since its rows were gone: position 0 of 400/
          : /projections rebuild/,
      )

      const supervisor = await project(deployment, healing.has(harm) ? [times, balances] : [balances])
      await vi.waitFor(async () => {
        await server.poll()
        await server.readiness()
        const now = await server.ask('times')
        expect(now.status).toBe(healing.has(harm) ? 200 : 503)
        if (now.status === 200) expect(now.body).toBe(before.body)
      })
      await supervisor.end()
    },
  )

  it('removed while it is served is read to the end by those who have it open, and built again', async () => {
    const before = await standing()
    const [server, supervisor] = [await serve(), await project()]
    remove()
    expect((await server.ask('times')).body).toBe(before.body)
    await deployment.publish(['one more'])
    const seen = new Set<number>()
    await vi.waitFor(
      async () => {
        await server.poll()
        const now = await server.ask('times')
        seen.add(now.status)
        if (now.status === 200) expect(now.body.startsWith(before.body.slice(0, -1))).toBe(true)
        expect(now.body).toContain('one more')
      },
      { timeout: 30_000, interval: 5 },
    )
    expect(existsSync(file())).toBe(true)
    expect([...seen].every((status) => status === 200 || status === 503)).toBe(true)
    await supervisor.end()
  })

  it.each(['emptied', 'cut off'] as const)(
    '%s while it is served is not written to, nor answered from',
    async (harm) => {
      await standing()
      const [server, supervisor] = [await serve(), await project()]
      await harms[harm]()
      await server.poll()
      const { status, body } = await server.ask('times')
      expect(status, body).toBe(503)
      expect((await server.ask('balances')).status).toBe(200)
      expect((await server.readiness()).reasons.join()).toMatch(/times 1 .*cannot be answered from/)
      await deployment.publish(['one more'])
      await vi.waitFor(() => expect(supervisor.instances().find(({ name }) => name === 'times')?.state).toBe('failed'))
      await supervisor.end()
    },
  )
})

it('gives a repaired read model another entity tag, so that who holds a wrong answer is told the right one', async () => {
  const before = await standing()
  remove()
  const supervisor = await project()
  const server = await serve()
  await server.readiness()
  const now = await server.ask('times', { 'if-none-match': before.etag })
  expect([now.status, now.body]).toEqual([200, before.body])
  expect((await server.ask('times', { 'if-none-match': now.etag })).status).toBe(304)
  await supervisor.end()
})
