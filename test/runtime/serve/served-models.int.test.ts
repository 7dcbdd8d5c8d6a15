import { expect, it, onTestFinished, vi } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { adopt, markBuilt, planRebuild, promote, setPaused } from '#src/operations/decide.ts'
import { isFilling } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { Checkpoint, ProjectionSchema, ReadStore, RowReader } from '#src/ports/read-store.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'

const schema: ProjectionSchema = { name: 'blocks', version: 1, collections: {} }
const known = [{ name: 'blocks', version: 1 }]
const at = '2026-01-01T00:00:00.000Z'

/** A store of which a test says where each build stands. */
function storeAt(checkpoints: Record<number, () => Checkpoint>): ReadStore {
  const openReader = async ({ build = 1 }: ProjectionSchema): Promise<RowReader> => ({
    checkpoint: async () => checkpoints[build]!(),
    get: async () => [],
    find: async () => [],
    scan: async () => [],
    parkedCount: async () => 0,
    parked: async () => [],
    close: async () => {},
  })
  return {
    openReader,
    openWriter: () => Promise.reject(new Error('not for writing')),
    remove: async () => false,
    close: async () => {},
  }
}

it('announces the instance that requests read until they have moved to the next, so that its rows stay', async () => {
  const controlStore = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => controlStore.close())
  await changePlan(controlStore, (plan) => adopt(plan, known, at))
  const models = new ServedModels({ schemas: [schema], logger: silentLogger, catchUpMaxMs: 60_000 })
  onTestFinished(() => models.close())
  let time = 1n
  const asked = Promise.withResolvers<void>()
  const behind = (): Checkpoint => {
    asked.resolve()
    return { position: 1, time }
  }
  const stores = { controlStore, readStore: storeAt({ 1: () => ({ position: 2, time: 2n }), 2: behind }) }
  await models.poll(stores)
  await models.use([{ blocks: schema }], (set) => set.state())
  await changePlan(controlStore, (plan) => {
    const { plan: next, instance } = planRebuild(plan, known, { name: 'blocks' }, at)
    return promote(markBuilt(next, 'blocks', instance.id), [{ name: 'blocks' }])
  })
  const moving = models.poll(stores)
  await asked.promise
  expect(models.read).toEqual({ blocks: '1' })
  time = 2n
  await moving
  await vi.waitFor(() => expect(models.read).toEqual({ blocks: '1.2' }))
})

it('names the rebuild where older data has only a version that this code does not answer from any more', async () => {
  const controlStore = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => controlStore.close())
  await changePlan(controlStore, (plan) => adopt(plan, known, at))
  const newer = { ...schema, version: 2 }
  const models = new ServedModels({ schemas: [newer], logger: silentLogger })
  onTestFinished(() => models.close())
  await models.poll({ controlStore, readStore: storeAt({}) })
  expect(models.problem).toMatch(/^blocks 1 should serve.*"ledger-history projections rebuild blocks" and promote that/)
  await expect(models.use([{ blocks: newer }], async () => undefined)).rejects.toThrow(/projections rebuild blocks/)
})

it('logs once when what it serves is paused, and when it is resumed', async () => {
  const controlStore = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => controlStore.close())
  await changePlan(controlStore, (plan) => adopt(plan, known, at))
  const lines: unknown[] = []
  const log = (fields: object, message: string): void => void lines.push({ ...fields, message })
  const models = new ServedModels({ schemas: [schema], logger: { ...silentLogger, warn: log, info: log } })
  onTestFinished(() => models.close())
  const stores = { controlStore, readStore: storeAt({ 1: () => ({ position: 2, time: 2n }) }) }
  await models.poll(stores)
  lines.length = 0
  for (const paused of [true, false]) {
    await changePlan(controlStore, (plan) => setPaused(plan, 'blocks', undefined, paused))
    await models.poll(stores)
    await models.poll(stores)
  }
  expect(lines).toEqual([
    { instance: 'blocks 1', message: 'paused by an operator, its answers get older' },
    { instance: 'blocks 1', message: 'no longer paused' },
  ])
})

it('serves on without a complaint where it cannot tell others what is filled, and tells them once it can', async () => {
  const controlStore = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => controlStore.close())
  await changePlan(controlStore, (plan) => adopt(plan, known, at))
  const warnings: string[] = []
  const warn = (_fields: object, message: string): void => void warnings.push(message)
  const models = new ServedModels({ schemas: [schema], logger: { ...silentLogger, warn } })
  onTestFinished(() => models.close())
  const stores = { controlStore, readStore: storeAt({ 1: () => ({ position: 2, time: 2n }) }) }
  await models.poll(stores)
  models.serving[0]!.markFilled()
  const full = vi.spyOn(controlStore, 'put').mockRejectedValue(new Error('The disk is full'))
  for (let polls = 0; polls < 2; polls++) await models.poll(stores)
  expect(models.problem).toBeUndefined()
  expect(warnings).toEqual(['cannot tell what is filled, trying on'])

  full.mockRestore()
  await models.poll(stores)
  expect(isFilling(await readPlan(controlStore), 'blocks')).toBe(false)
})
