import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import {
  adopt,
  beginGeneration,
  forget,
  forgetGeneration,
  markBuilt,
  planRebuild,
  promote,
  promoteGeneration,
  prunable,
  rollBack,
  setPaused,
} from '#src/operations/decide.ts'
import {
  emptyPlan,
  instancesOf,
  type Plan,
  planFromText,
  planToText,
  schemaOfInstance,
  servingInstance,
} from '#src/operations/plan.ts'

const at = '2026-01-01T00:00:00.000Z'
const known = [
  { name: 'blocks', version: 1 },
  { name: 'transactions', version: 1 },
  { name: 'transactions', version: 2 },
  { name: 'transactions', version: 3 },
]
const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (isLedgerError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'accepted'
}

/** A deployment whose oldest code adopted version 1. */
const begun = adopt(emptyPlan, [{ name: 'transactions', version: 1 }, known[0]!], at)

function built(plan: Plan, version: number, generation?: number): { plan: Plan; id: string } {
  const planned = planRebuild(plan, known, { name: 'transactions', version, ...(generation && { generation }) }, at)
  const { id } = planned.instance
  return { plan: markBuilt(planned.plan, 'transactions', id), id }
}

describe('a plan', () => {
  it('lets the newest version of an unknown read model serve at once, and leaves known ones alone', () => {
    const plan = adopt(emptyPlan, known, at)
    expect(servingInstance(plan, 'transactions')).toMatchObject({ id: '3', state: 'built', generation: 1 })
    expect(adopt(begun, known, at)).toBe(begun)
    expect(servingInstance(begun, 'accounts')).toBeUndefined()
  })

  it('goes on with an interrupted rebuild, and begins another build where the version is built', () => {
    const first = planRebuild(begun, known, { name: 'transactions', eventsPerSecondMax: 500 }, at)
    expect(first).toMatchObject({ resumed: false, instance: { id: '3', state: 'building', eventsPerSecondMax: 500 } })
    const again = planRebuild(first.plan, known, { name: 'transactions' }, at)
    expect(again).toMatchObject({ resumed: true, instance: { id: '3', eventsPerSecondMax: 500 } })
    const done = markBuilt(again.plan, 'transactions', '3')
    expect(planRebuild(done, known, { name: 'transactions' }, at)).toMatchObject({ instance: { id: '3.2' } })
  })

  it('never gives the number of a pruned build out again', () => {
    const { plan } = built(begun, 2)
    const pruned = forget(plan, 'transactions', '2')
    const again = planRebuild(pruned, known, { name: 'transactions', version: 2 }, at)
    expect(again).toMatchObject({ resumed: false, instance: { id: '2.2' } })
    const prunedAgain = forget(again.plan, 'transactions', '2.2')
    expect(planRebuild(prunedAgain, known, { name: 'transactions', version: 2 }, at).instance.id).toBe('2.3')
  })

  it('promotes what is built and not paused, and finds the way back', () => {
    const { plan } = built(begun, 2)
    const promoted = promote(plan, [{ name: 'transactions' }])
    expect(promoted.readModels['transactions']).toMatchObject({ serving: '2', previous: '1' })
    const back = rollBack(promoted, ['transactions'])
    expect(back.readModels['transactions']).toMatchObject({ serving: '1', previous: null, rolledBack: '2' })
    expect(refusal(() => rollBack(begun, ['transactions']))).toContain('no earlier instance')
    expect(refusal(() => promote(promoted, [{ name: 'transactions', id: '2' }]))).toContain('serves already')
    const building = planRebuild(begun, known, { name: 'transactions' }, at).plan
    expect(refusal(() => promote(building, [{ name: 'transactions', id: '3' }]))).toContain('not built yet')
    const paused = setPaused(plan, 'transactions', '2', true)
    expect(refusal(() => promote(paused, [{ name: 'transactions', id: '2' }]))).toContain('is paused')
  })

  it('promotes several read models together, or none', () => {
    const { plan } = built(begun, 2)
    const names = [{ name: 'transactions' }, { name: 'blocks' }]
    expect(refusal(() => promote(plan, names))).toContain('blocks has no other built instance')
    expect(servingInstance(plan, 'transactions')?.id).toBe('1')
  })

  it('prunes what neither serves nor is being built', () => {
    const { plan } = built(begun, 2)
    const both = planRebuild(plan, known, { name: 'transactions' }, at).plan
    expect(prunable(both, 'transactions').map(({ id }) => id)).toEqual(['2'])
    expect(prunable(both, 'transactions', '3').map(({ id }) => id)).toEqual(['3'])
    expect(refusal(() => prunable(both, 'transactions', '1'))).toContain('serves')
    expect(refusal(() => forget(both, 'transactions', '9'))).toContain('no transactions v9')
    const promoted = promote(both, [{ name: 'transactions', id: '2' }])
    expect(forget(promoted, 'transactions', '1').readModels['transactions']?.previous).toBeNull()
  })

  it('moves to another generation as a whole, to the newest version built from it', () => {
    const { plan: withLog, generation, resumed } = beginGeneration(begun, 'a gap', at)
    expect({ generation, resumed }).toEqual({ generation: 2, resumed: false })
    expect(beginGeneration(withLog, 'a gap', at)).toMatchObject({ generation: 2, resumed: true })
    expect(refusal(() => promoteGeneration(withLog, 2, at))).toContain('is not built from log generation 2')
    const blocks = planRebuild(withLog, known, { name: 'blocks', generation: 2 }, at)
    let plan = markBuilt(blocks.plan, 'blocks', blocks.instance.id)
    // Ids in an order that says nothing: `2`, then `1.2`.
    plan = built(plan, 2, 2).plan
    plan = built(plan, 1, 2).plan
    const promoted = promoteGeneration(plan, 2, at)
    expect(promoted.generation).toBe(2)
    expect(servingInstance(promoted, 'transactions')).toMatchObject({ id: '2', generation: 2 })
    expect(servingInstance(promoted, 'blocks')).toMatchObject({ id: '1.2', generation: 2 })
    expect(promoted.generations).toMatchObject({ 1: { state: 'retired' }, 2: { state: 'serving' } })
    const back = promoteGeneration(promoted, 1, at)
    expect(servingInstance(back, 'transactions')).toMatchObject({ id: '1', generation: 1 })
    expect(refusal(() => forgetGeneration(promoted, 2))).toContain('serves')
    expect(refusal(() => forgetGeneration(promoted, 1))).toContain('still has rows')
    const cleaned = forget(forget(promoted, 'transactions', '1'), 'blocks', '1')
    expect(Object.keys(forgetGeneration(cleaned, 1).generations)).toEqual(['2'])
  })

  it('never uses the number of a log generation twice, and lets an interrupted prune be finished', () => {
    const { plan: two } = beginGeneration(begun, 'a gap', at)
    const pruned = forgetGeneration(two, 2)
    expect(beginGeneration(pruned, 'a gap', at).generation).toBe(3)
    expect(forgetGeneration(pruned, 2)).toBe(pruned)
    expect(refusal(() => forgetGeneration(pruned, 3))).toContain('no log generation 3')
    expect(refusal(() => promoteGeneration(pruned, 2, at))).toContain('no log generation 2')
  })

  it('takes read models along that answer from the other generation already', () => {
    const { plan: withLog } = beginGeneration(begun, 'a gap', at)
    const blocks = planRebuild(withLog, known, { name: 'blocks', generation: 2 }, at)
    const { plan, id } = built(markBuilt(blocks.plan, 'blocks', blocks.instance.id), 1, 2)
    const early = promote(plan, [{ name: 'transactions', id }])
    expect(servingInstance(promoteGeneration(early, 2, at), 'transactions')?.id).toBe(id)
  })

  it('names what there is when asked for what there is not', () => {
    expect(refusal(() => setPaused(emptyPlan, 'blocks', undefined, true))).toContain('No read model was built here yet')
    expect(refusal(() => setPaused(begun, 'accounts', undefined, true))).toContain('there are transactions, blocks')
    expect(refusal(() => planRebuild(begun, known, { name: 'blocks', version: 7 }, at))).toContain('version_unknown')
  })

  it('survives being written down, and refuses what another version wrote', () => {
    const { plan } = built(begun, 2)
    expect(planFromText(planToText(plan))).toEqual(plan)
    const texts = [
      '{"generation":1,"readModels":null,"generations":{}}',
      '{"generation":1,"readModels":{},"generations":null}',
    ]
    for (const text of ['', 'null', '{}', '{"generation":"1","readModels":{},"generations":{}}', ...texts])
      expect(refusal(() => planFromText(text))).toContain('version_unknown')
  })

  it('keeps a build of its own in a place of its own', () => {
    const schema = { name: 'blocks', version: 1, collections: {} }
    expect(schemaOfInstance(schema, { build: 1 })).toBe(schema)
    expect(schemaOfInstance(schema, { build: 3 })).toEqual({ ...schema, build: 3 })
  })

  it('has a built instance that serves, and a way back that is there or none, whatever is decided in whatever order', () => {
    const names = fc.constantFrom('transactions', 'blocks')
    const id = fc.constantFrom(undefined, '1', '2', '3', '1.2', '2.2', '3.2')
    const generation = fc.integer({ min: 1, max: 3 })
    const decision = fc.oneof(
      fc
        .record({ name: names, version: fc.integer({ min: 1, max: 3 }), generation })
        .map((wish) => (plan: Plan) => planRebuild(plan, known, wish, at).plan),
      fc.tuple(names, id).map(
        ([name, each]) =>
          (plan: Plan) =>
            markBuilt(plan, name, each ?? '2'),
      ),
      fc.tuple(names, id, fc.boolean()).map(
        ([name, each, paused]) =>
          (plan: Plan) =>
            setPaused(plan, name, each, paused),
      ),
      fc.tuple(names, id).map(
        ([name, each]) =>
          (plan: Plan) =>
            promote(plan, [each === undefined ? { name } : { name, id: each }]),
      ),
      fc.subarray(['transactions', 'blocks']).map((some) => (plan: Plan) => rollBack(plan, some)),
      fc.tuple(names, id).map(
        ([name, each]) =>
          (plan: Plan) =>
            forget(plan, name, each ?? '1'),
      ),
      fc.constant((plan: Plan) => beginGeneration(plan, 'why', at).plan),
      generation.map((to) => (plan: Plan) => promoteGeneration(plan, to, at)),
      generation.map((of) => (plan: Plan) => forgetGeneration(plan, of)),
      fc.constant((plan: Plan) => adopt(plan, known, at)),
    )
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 40 }), (decisions) => {
        let plan = adopt(emptyPlan, known, at)
        const given = new Set(instancesOf(plan).map(({ name, id: each }) => `${name} ${each}`))
        for (const decide of decisions) {
          const before = instancesOf(plan).map(({ name, id: each }) => `${name} ${each}`)
          try {
            plan = decide(plan)
          } catch (error) {
            if (!isLedgerError(error)) throw error
          }
          for (const { name, id: each } of instancesOf(plan)) {
            const key = `${name} ${each}`
            if (!before.includes(key)) expect(given.has(key), `${key} is new`).toBe(false)
            given.add(key)
          }
          for (const model of Object.values(plan.readModels)) {
            expect(model.instances[model.serving]?.state).toBe('built')
            expect([model.previous, model.rolledBack]).not.toContain(model.serving)
            if (model.rolledBack) expect(model.instances[model.rolledBack]).toBeDefined()
            if (model.previous !== null) expect(model.instances[model.previous]).toBeDefined()
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})
