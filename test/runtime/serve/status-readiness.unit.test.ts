import { expect, it } from 'vitest'
import { adopt, setPaused } from '#src/operations/decide.ts'
import { decisionsGeneration, emptyPlan, type Plan } from '#src/operations/plan.ts'
import type { LogHead, MessageLog } from '#src/ports/message-log.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'
import { Instant } from '#src/runtime/serve/instant.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import { ServingWatch } from '#src/runtime/serve/status-readiness.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const second = 1_000_000_000n

/** One served read model, a log and a clock, all of which stand where the test puts them. */
function given() {
  const state = {
    nowMs: 0,
    head: { sequence: 100, time: 1_000n * second } as LogHead | Error,
    checkpoint: { position: 100, time: 1_000n * second } as Checkpoint | undefined,
    problem: undefined as string | undefined,
    opened: 0,
    serving: true,
    withPage: false,
    plan: emptyPlan as Plan,
  }
  const reader = { ...rowReaderFake({}, { position: 0, time: 0n }), checkpoint: async () => state.checkpoint }
  const model = new ServedModel({ name: 'blocks', id: '1.2', version: 1, build: 2, generation: 1, reader })
  const page = new ServedModel({
    name: 'status',
    id: '1',
    version: 1,
    build: 1,
    generation: decisionsGeneration,
    reader,
  })
  const log: MessageLog = {
    openWriter: () => Promise.reject(new Error('not for writing')),
    identity: async () => 'a log',
    read: () => {
      throw new Error('not for reading')
    },
    head: async () => {
      if (state.head instanceof Error) throw state.head
      return state.head
    },
    close: async () => {},
  }
  const now = (): number => state.nowMs
  const openLog = async (generation: number): Promise<MessageLog> => {
    if (generation === decisionsGeneration) throw new Error('The decisions do not answer')
    state.opened += 1
    return log
  }
  const heads = new LogHeads({ openLog, now })
  const models = {
    get plan() {
      return state.plan
    },
    get serving() {
      return [...(state.serving ? [model] : []), ...(state.withPage ? [page] : [])]
    },
    get problem() {
      return state.problem
    },
  }
  const instant = new Instant()
  const watch = new ServingWatch({ models, names: ['blocks'], heads, instant, lagBudgetSeconds: 60, now })
  return { state, watch, instant }
}

it('is ready at the head of the log', async () => {
  const { watch } = given()
  expect(await watch.measure()).toEqual({
    ready: true,
    reasons: [],
    generation: 1,
    head: 100,
    headTime: '1000.000000000',
    headAgeSeconds: 0,
    filling: [],
    paused: [],
    asOf: null,
    leftOut: [],
    readModels: [
      {
        name: 'blocks',
        instance: '1.2',
        version: 1,
        build: 2,
        generation: 1,
        ready: true,
        filling: false,
        paused: false,
        leftOut: false,
        position: 100,
        lagEvents: 0,
        lagSeconds: 0,
        stalledSeconds: 0,
        scrubbed: null,
      },
    ],
  })
})

it('names what is behind the block that the others answer as of', async () => {
  const { state, watch, instant } = given()
  const end = { position: 90, time: 900n * second }
  state.checkpoint = { position: 100, time: 1_000n * second, whole: end }
  instant.advance({ generation: 1, ...end })
  expect(await watch.measure()).toMatchObject({ asOf: '900.000000000', leftOut: [], readModels: [{ leftOut: false }] })
  instant.advance({ generation: 1, position: 95, time: 950n * second })
  expect(await watch.measure()).toMatchObject({ asOf: '950.000000000', leftOut: ['blocks'], ready: true })
})

it('is not ready further behind than the budget', async () => {
  const { state, watch } = given()
  state.checkpoint = { position: 90, time: 939n * second }
  const { ready, reasons } = await watch.measure()
  expect([ready, reasons]).toEqual([false, ['blocks 1.2 is 10 events and 61 s of ledger time behind the log']])
})

it('is not ready when it is a little behind but stands still', async () => {
  const { state, watch } = given()
  await watch.measure()
  state.nowMs = 10_000
  state.checkpoint = { position: 99, time: 999n * second }
  expect((await watch.measure()).ready).toBe(true)
  // Clocks that count in fractions of a millisecond have noise behind them.
  state.nowMs = 69_000.000_000_4
  expect((await watch.measure()).readModels).toMatchObject([{ ready: true, stalledSeconds: 59 }])
  state.nowMs = 71_000
  const { ready, reasons } = await watch.measure()
  expect([ready, reasons]).toEqual([false, ['blocks 1.2 is 1 event behind and has not moved for 61 s']])
  state.checkpoint = { position: 100, time: 1_000n * second }
  expect((await watch.measure()).readModels).toMatchObject([{ ready: true, stalledSeconds: 0 }])
})

it('does not call a lag zero when the log has not told its head for a while', async () => {
  const { state, watch } = given()
  await watch.measure()
  state.head = new Error('connection lost')
  state.nowMs = 9_000.000_000_4
  expect(await watch.measure()).toMatchObject({ ready: true, headAgeSeconds: 9, readModels: [{ lagEvents: 0 }] })
  state.nowMs = 11_000
  const late = await watch.measure()
  expect(late).toMatchObject({
    ready: false,
    reasons: ['The head of log generation 1 is not known since 11 s: connection lost'],
    headAgeSeconds: 11,
    readModels: [{ ready: false, lagEvents: null, lagSeconds: null }],
  })
  state.head = { sequence: 100, time: 1_000n * second }
  expect(await watch.measure()).toMatchObject({ ready: true, headAgeSeconds: 0 })
  // A log that failed is opened anew.
  expect(state.opened).toBeGreaterThan(1)
})

it('says what is wrong with what it serves', async () => {
  const { state, watch } = given()
  state.problem = 'The store does not answer'
  state.serving = false
  expect((await watch.measure()).reasons).toEqual(['The store does not answer', 'blocks is not served'])
  state.problem = undefined
  state.serving = true
  state.checkpoint = undefined
  expect((await watch.measure()).reasons).toEqual(['blocks 1.2 was never built'])
})

it('names what is paused and stays ready, however old its answers get', async () => {
  const { state, watch } = given()
  const adopted = adopt(emptyPlan, [{ name: 'blocks', version: 1 }], '2026-01-01T00:00:00.000Z')
  const { '1': instance } = adopted.readModels['blocks']!.instances
  const blocks = { serving: '1.2', previous: null, instances: { '1.2': { ...instance!, build: 2 } } }
  state.plan = setPaused({ ...adopted, readModels: { blocks } }, 'blocks', undefined, true)
  state.checkpoint = { position: 40, time: 100n * second }
  state.nowMs = 500_000
  const paused = { paused: true, ready: true, lagEvents: 60, lagSeconds: 900, stalledSeconds: 0 }
  expect(await watch.measure()).toMatchObject({ ready: true, reasons: [], paused: ['blocks'], readModels: [paused] })
  state.nowMs = 900_000
  expect((await watch.measure()).ready).toBe(true)
  state.checkpoint = undefined
  expect(await watch.measure()).toMatchObject({ ready: false, reasons: ['blocks 1.2 was never built'] })
  state.checkpoint = { position: 40, time: 100n * second }
  state.plan = setPaused(state.plan, 'blocks', undefined, false)
  expect(await watch.measure()).toMatchObject({ ready: false, paused: [] })
})

it('says that no block is folded yet, and days instead of many seconds', async () => {
  const { state, watch } = given()
  state.checkpoint = { position: 0, time: 0n }
  const nothing = await watch.measure()
  expect(nothing.reasons).toEqual(['blocks 1.2 has folded no block yet; the log is 100 events ahead'])
  expect(nothing.readModels).toMatchObject([{ lagSeconds: null }])
  state.head = { sequence: 2_000, time: 1_000_000n * second }
  state.checkpoint = { position: 100, time: 1_000n * second }
  expect((await watch.measure()).reasons).toEqual([
    'blocks 1.2 is 1,900 events and 11.6 days of ledger time behind the log',
  ])
})

it('never says that null events are missing', async () => {
  const { state, watch } = given()
  state.checkpoint = { position: 90, time: 999n * second }
  await watch.measure()
  state.head = new Error('connection lost')
  state.nowMs = 200_000
  const { reasons } = await watch.measure()
  expect(reasons).toEqual([
    'The head of log generation 1 is not known since 200 s: connection lost',
    'blocks 1.2 was behind when that could last be told and has not moved for 200 s',
  ])
})

it('tells of the status page, which neither keeps anybody from asking about the ledger nor makes up for it', async () => {
  const { state, watch } = given()
  state.withPage = true
  const page = { name: 'status', generation: decisionsGeneration, ready: false, lagEvents: null }
  expect(await watch.measure()).toMatchObject({ ready: true, reasons: [], readModels: [{ ready: true }, page] })
  state.serving = false
  expect(await watch.measure()).toMatchObject({ ready: false, reasons: ['blocks is not served'] })
})
