import { expect, it, onTestFinished } from 'vitest'
import { defineRoute } from '#queries/common/route.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { adopt, markFilled } from '#src/operations/decide.ts'
import { isFilling } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { Checkpoint, ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'
import { ServingWatch } from '#src/runtime/serve/status-readiness.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const second = 1_000_000_000n
const at = '2026-01-01T00:00:00.000Z'
const blocks = { name: 'blocks', version: 1, collections: {} } as const satisfies ProjectionSchema
const hooks = { name: 'hooks', version: 1, collections: {} } as const satisfies ProjectionSchema
const parts = { summary: '', tag: '', parameters: {}, maxAge: 1, body: {} }
const answer = async () => ({ body: '"an answer"' })
const routes = [
  defineRoute({ ...parts, path: '/blocks', answers: [{ reads: { blocks }, answer }] }),
  defineRoute({ ...parts, path: '/hooks', dialect: 'B', answers: [{ reads: { blocks, hooks }, answer }] }),
]

/** A deployment in which blocks serve for long, and hooks are new; where hooks and the log stand is the test's to say. */
async function given() {
  const control = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => control.close())
  await changePlan(control, (plan) => markFilled(adopt(plan, [blocks], at), ['blocks']))
  await changePlan(control, (plan) => adopt(plan, [blocks, hooks], at))
  const state = {
    nowMs: 0,
    head: { sequence: 1_000, time: 1_000n * second },
    hooks: { position: 250, time: 250n * second } as Checkpoint | undefined,
  }
  const readStore: ReadStore = {
    openReader: async ({ name }) => ({
      ...rowReaderFake({}, { position: 0, time: 0n }),
      checkpoint: async () =>
        name === 'hooks' ? state.hooks : { position: state.head.sequence, time: state.head.time },
    }),
    openWriter: () => Promise.reject(new Error('not for writing')),
    remove: async () => false,
    close: async () => {},
  }
  const log: MessageLog = {
    identity: async () => 'a log',
    openWriter: () => Promise.reject(new Error('not for writing')),
    read: () => {
      throw new Error('not for reading')
    },
    head: async () => state.head,
    close: async () => {},
  }
  const now = (): number => state.nowMs
  const serve = async () => {
    const assertFilled = (model: ServedModel): Promise<void> => watch.assertFilled(model)
    const models = new ServedModels({ schemas: [blocks, hooks], logger: silentLogger, assertFilled })
    const heads = new LogHeads({ openLog: async () => log, now })
    const watch = new ServingWatch({ models, names: ['blocks', 'hooks'], heads, lagBudgetSeconds: 60, now })
    const app = createApp({
      models,
      settings: { ...defaultHttpSettings, docs: false },
      clock: { now: () => 0 },
      logger: silentLogger,
      readiness: () => watch.measure(),
      routes,
    })
    onTestFinished(async () => {
      await app.close()
      await models.close()
    })
    const poll = () => models.poll({ controlStore: control, readStore })
    await poll()
    return { poll, ask: async (path: string) => app.inject(path) }
  }
  return { state, control, serve }
}

it('says how far a read model is that fills for the first time, and when to ask again, while all others answer', async () => {
  const { state, serve } = await given()
  const { ask } = await serve()
  const first = await ask('/api/v1/hooks')
  expect([first.statusCode, first.json()]).toEqual([
    503,
    {
      _status: {
        messages: [
          {
            message: 'Service Unavailable',
            detail: 'hooks 1 is built for the first time: position 250 of 1000 (25.0 %)',
          },
        ],
      },
    },
  ])
  expect(first.headers['retry-after']).toBe('10')
  state.nowMs = 10_000
  state.hooks = { position: 500, time: 500n * second }
  const second503 = await ask('/api/v1/hooks')
  expect(second503.json()._status.messages[0].detail).toContain('position 500 of 1000 (50.0 %)')
  expect(second503.headers['retry-after']).toBe('20')
  expect((await ask('/api/v1/blocks')).statusCode).toBe(200)
})

it('says so before the first row is there, too', async () => {
  const { state, serve } = await given()
  state.hooks = undefined
  const { ask } = await serve()
  const answered = await ask('/api/v1/hooks')
  expect(answered.statusCode).toBe(503)
  expect(answered.json()._status.messages[0].detail).toContain('position 0 of 1000 (0.0 %)')
})

it('is ready meanwhile, and lists what fills', async () => {
  const { serve } = await given()
  const { ask } = await serve()
  const readiness = await ask('/health/readiness')
  expect(readiness.statusCode).toBe(200)
  expect(readiness.json()).toMatchObject({ ready: true, reasons: [], filling: ['hooks'] })
  expect(readiness.json().readModels).toMatchObject([
    { name: 'blocks', ready: true, filling: false },
    { name: 'hooks', ready: false, filling: true, position: 250, lagEvents: 750 },
  ])
})

it('answers from the moment it is within the lag budget, and ever after, in all processes and after a restart', async () => {
  const { state, control, serve } = await given()
  const server = await serve()
  const other = await serve()
  state.hooks = { position: 990, time: 941n * second }
  expect((await server.ask('/api/v1/hooks')).statusCode).toBe(200)
  expect(isFilling(await readPlan(control), 'hooks')).toBe(true)
  await server.poll()
  expect(isFilling(await readPlan(control), 'hooks')).toBe(false)
  await other.poll()
  state.head = { sequence: 5_000, time: 5_000n * second }
  const restarted = await serve()
  for (const { ask } of [server, other, restarted]) expect((await ask('/api/v1/hooks')).statusCode).toBe(200)
  const late = await restarted.ask('/health/readiness')
  expect([late.statusCode, late.json().filling]).toEqual([503, []])
})

it('has nothing to wait for where the log is empty', async () => {
  const { state, serve } = await given()
  state.head = { sequence: 0, time: 0n }
  state.hooks = undefined
  const { ask } = await serve()
  expect((await ask('/api/v1/hooks')).statusCode).toBe(200)
})
