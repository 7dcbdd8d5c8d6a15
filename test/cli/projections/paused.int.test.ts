import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import type { Deployment } from '#src/cli/verbs/projections/deployment.ts'
import { whilePaused } from '#src/cli/verbs/projections/paused.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { adopt } from '#src/operations/decide.ts'
import { instancesOf, type NamedInstance } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { silentLogger } from '#src/ports/logger.ts'

let control: ControlStore
let isAway: boolean
let errors: string[]
let deployment: Deployment
let instance: NamedInstance

beforeEach(async () => {
  isAway = false
  errors = []
  control = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => control.close())
  const plan = await changePlan(control, (current) => adopt(current, [{ name: 'blocks', version: 1 }], '2026-01-01'))
  instance = instancesOf(plan)[0]!
  const get: ControlStore['get'] = async (name) => {
    if (isAway) throw new LedgerError('store_unavailable', 'The store does not answer')
    return control.get(name)
  }
  const fragile: ControlStore = {
    get,
    list: (prefix) => control.list(prefix),
    put: (...document) => control.put(...document),
    remove: (name) => control.remove(name),
    close: () => control.close(),
  }
  const logger = { ...silentLogger, error: (_fields: object, message: string) => errors.push(message) }
  const verb = { signal: new AbortController().signal, logger }
  deployment = { control: fragile, verb, next: (verb: string) => verb } as unknown as Deployment
})

const isPaused = async () => (await readPlan(control)).readModels['blocks']?.instances['1']?.paused

it('lets the instance go on after the work, also where that fails', async () => {
  expect(await whilePaused(deployment, instance, isPaused)).toBe(true)
  expect(await isPaused()).toBe(false)
  const failing = (): Promise<never> => Promise.reject(new Error('it differs'))
  await expect(whilePaused(deployment, instance, failing)).rejects.toThrow('it differs')
  expect(await isPaused()).toBe(false)
})

it('says that it stays paused when the store is away in the end, without hiding why the work failed', async () => {
  const losing = async (): Promise<string> => {
    isAway = true
    return 'done'
  }
  await expect(whilePaused(deployment, instance, losing)).rejects.toMatchObject({
    code: 'store_unavailable',
    message:
      'blocks v1 is still paused, since the plan cannot be changed: The store does not answer; run "projections resume blocks --version 1" when it can',
  })
  isAway = false
  await changePlan(control, (plan) => plan)
  const failing = async (): Promise<never> => {
    isAway = true
    throw new Error('it differs')
  }
  await expect(whilePaused(deployment, { ...instance, paused: false }, failing)).rejects.toThrow('it differs')
  expect(errors).toEqual(['an instance stays paused, since the plan cannot be changed; resume it'])
})
