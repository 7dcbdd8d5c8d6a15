import { describe, expect, it } from 'vitest'
import {
  adopt,
  confirmed,
  forget,
  markBuilt,
  planRebuild,
  promote,
  prunable,
  resume,
  rollBack,
  setPaused,
} from '#src/operations/decide.ts'
import { emptyPlan, type Plan } from '#src/operations/plan.ts'

const at = '2026-01-01T00:00:00.000Z'
const known = [
  { name: 'blocks', version: 1 },
  { name: 'blocks', version: 2 },
  { name: 'transactions', version: 1 },
]
/** Where version 2 is not known yet. */
const begun = adopt(emptyPlan, known.slice(0, 1).concat(known.slice(2)), at)

/** With an instance that a rebuild has filled. */
function built(plan: Plan, wish: Parameters<typeof planRebuild>[2]): Plan {
  const planned = planRebuild(plan, known, wish, at)
  return markBuilt(planned.plan, wish.name, planned.instance.id)
}

function refusal(decide: () => unknown): unknown {
  try {
    decide()
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return `${message} [${code}]`
  }
  return undefined
}

describe('a rebuild', () => {
  it('goes on with an interrupted one of the same log generation, at its bound unless told otherwise', () => {
    const first = planRebuild(begun, known, { name: 'blocks', eventsPerSecondMax: 50 }, at)
    const again = planRebuild(first.plan, known, { name: 'blocks' }, at)
    expect(again).toMatchObject({ resumed: true, instance: { id: '2', eventsPerSecondMax: 50 } })
    const unbound = planRebuild(first.plan, known, { name: 'blocks', eventsPerSecondMax: 0 }, at)
    expect(unbound.instance.eventsPerSecondMax).toBeNull()
    const other = planRebuild(first.plan, known, { name: 'blocks', generation: 2 }, at)
    expect(other).toMatchObject({ resumed: false, instance: { id: '2.2', generation: 2 } })
  })

  it('is refused for what this code does not have', () => {
    expect(refusal(() => planRebuild(begun, known, { name: 'blocks', version: 9 }, at))).toBe(
      'There is no blocks v9 in this code, only v1, v2; run it with the release that has it [version_unknown]',
    )
    expect(refusal(() => planRebuild(begun, known.slice(0, 2), { name: 'transactions' }, at))).toMatch(
      /^There is no version of transactions in this code, none; .*\[version_unknown\]$/,
    )
    expect(refusal(() => planRebuild(begun, known, { name: 'blcoks' }, at))).toBe(
      'There is no read model blcoks; there are blocks, transactions [operation_refused]',
    )
    expect(refusal(() => planRebuild(emptyPlan, known, { name: 'blocks' }, at))).toMatch(
      /^No read model was built here/,
    )
  })
})

describe('a promotion', () => {
  it.each<[string, Plan, string | undefined]>([
    ['blocks v1 serves already', begun, '1'],
    ['blocks has no other built instance; run "ledger-history projections rebuild blocks" first', begun, undefined],
    ['There is no blocks v7; there are v1', begun, '7'],
    [
      'blocks v2 is not built yet; run "ledger-history projections rebuild blocks" to its end first',
      planRebuild(begun, known, { name: 'blocks' }, at).plan,
      '2',
    ],
    [
      'blocks v2 is paused; run "ledger-history projections resume blocks --version 2" first',
      setPaused(built(begun, { name: 'blocks' }), 'blocks', '2', true),
      undefined,
    ],
  ])('is refused: %s', (message, plan, id) => {
    const promotion = { name: 'blocks', ...(id === undefined ? {} : { id }) }
    expect(refusal(() => promote(plan, [promotion]))).toBe(`${message} [operation_refused]`)
  })

  it('is not undone by being decided again', () => {
    const promoted = promote(built(begun, { name: 'blocks' }), [{ name: 'blocks' }])
    expect(refusal(() => promote(promoted, [{ name: 'blocks' }]))).toMatch(
      /^blocks v2 serves already and nothing newer/,
    )
    const back = rollBack(promoted, ['blocks'])
    expect(refusal(() => rollBack(back, ['blocks']))).toMatch(
      /^blocks v1 serves since v2 was rolled back; .*promote blocks --version 2"/,
    )
  })

  it('is refused when another operator came between the check and the decision', () => {
    const plan = built(begun, { name: 'blocks' })
    const checked = [{ name: 'blocks', id: '2' }]
    const promoted = promote(plan, [{ name: 'blocks' }])
    expect(confirmed(promoted, checked)).toBe(promoted)
    const later = built(plan, { name: 'blocks' })
    expect(refusal(() => confirmed(promote(later, [{ name: 'blocks' }]), checked))).toMatch(
      /^blocks was changed by another operator meanwhile; /,
    )
  })

  it('never means what was rolled back, or what another log generation made, unless that is named', () => {
    const back = rollBack(promote(built(begun, { name: 'blocks' }), [{ name: 'blocks' }]), ['blocks'])
    expect(refusal(() => promote(back, [{ name: 'blocks' }]))).toMatch(
      /^blocks v2 was rolled back and nothing newer is built; .*promote blocks --version 2"/,
    )
    const repaired = built(back, { name: 'blocks', version: 1 })
    expect(promote(repaired, [{ name: 'blocks' }]).readModels['blocks']).toMatchObject({
      serving: '1.2',
      rolledBack: null,
    })
    expect(promote(back, [{ name: 'blocks', id: '2' }]).readModels['blocks']).toMatchObject({ serving: '2' })
    expect(forget(back, 'blocks', '2').readModels['blocks']?.rolledBack).toBeNull()
    const prepared = built(begun, { name: 'blocks', generation: 2 })
    expect(refusal(() => promote(prepared, [{ name: 'blocks' }]))).toMatch(/^blocks has no other built instance/)
  })

  it('has no way back before the first one', () => {
    expect(refusal(() => rollBack(begun, ['blocks']))).toMatch(/^blocks v1 has no earlier instance to return to/)
  })
})

describe('a resumption', () => {
  it('is refused for what is not paused, since it would change nothing', () => {
    const paused = setPaused(begun, 'blocks', undefined, true)
    expect(resume(paused, 'blocks', undefined)).toEqual(begun)
    expect(refusal(() => resume(begun, 'blocks', '1'))).toMatch(
      /^blocks v1 is not paused; "ledger-history projections status" says whether a process .* \[operation_refused\]$/,
    )
    const { plan } = planRebuild(begun, known, { name: 'blocks' }, at)
    expect(refusal(() => resume(plan, 'blocks', '2'))).toMatch(
      /^blocks v2 is not paused; .* whether a rebuild fills it/,
    )
    expect(refusal(() => resume(begun, 'blocks', '7'))).toMatch(/^There is no blocks v7; /)
  })
})

describe('a prune', () => {
  it('refuses what serves, and forgets the way back to what it removes', () => {
    expect(prunable(begun, 'blocks')).toEqual([])
    expect(refusal(() => prunable(begun, 'blocks', '1'))).toMatch(/^blocks v1 serves; promote another instance/)
    expect(refusal(() => forget(begun, 'blocks', '1'))).toMatch(/^blocks v1 serves; promote another instance/)
    const pruned = forget(promote(built(begun, { name: 'blocks' }), [{ name: 'blocks' }]), 'blocks', '1')
    expect(refusal(() => rollBack(pruned, ['blocks']))).toMatch(/or it is pruned/)
  })
})
