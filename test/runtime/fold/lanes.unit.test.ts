import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { usualFoldCosts } from '#projections/usual-fold-costs.ts'
import { assignLanes, lanesByDefault } from '#src/runtime/fold/lanes.ts'

describe('lanes', () => {
  it('get about as much work each', () => {
    const costs = new Map([
      ['transactions', 28],
      ['balances', 15],
      ['entities', 8],
      ['staking', 5],
    ])
    expect(assignLanes([...costs.keys()], costs, 2)).toEqual([['transactions'], ['balances', 'entities', 'staking']])
  })

  it('take a read model that was never measured for a costly one', () => {
    const costs = new Map([
      ['transactions', 28],
      ['blocks', 1],
    ])
    expect(assignLanes(['blocks', 'tokens', 'transactions'], costs, 2)).toEqual([
      ['tokens', 'blocks'],
      ['transactions'],
    ])
  })

  it('have every read model once, and are never empty', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 9 }), (all, lanes, cost) => {
        const costs = new Map(all.map((name, index) => [name, (index * cost) % 7]))
        const assigned = assignLanes(all, costs, lanes)
        expect(assigned.flat().sort()).toEqual([...all].sort())
        expect(assigned.every((each) => each.length > 0)).toBe(true)
        expect(assigned.length).toBeLessThanOrEqual(lanes)
      }),
    )
  })

  it('are as many as the machine has cores, up to what the costliest read model lets gain', () => {
    expect([1, 2, 4, 64].map((cores) => lanesByDefault(cores))).toEqual([1, 2, 4, 4])
  })

  it('share the usual costs about equally', () => {
    const names = allProjections.map(({ schema }) => schema.name)
    expect(names).toEqual(expect.arrayContaining([...usualFoldCosts.keys()]))
    const costOf = (lane: readonly string[]): number =>
      lane.reduce((sum, name) => sum + (usualFoldCosts.get(name) ?? 0), 0)
    const [first = 0, second = 0] = assignLanes(names, usualFoldCosts, 2).map(costOf)
    expect(Math.abs(first - second)).toBeLessThan(0.1 * (first + second))
  })
})
