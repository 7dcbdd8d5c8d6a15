import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

  it('are as many as the machine has cores to spare', () => {
    expect([lanesByDefault(3, 2), lanesByDefault(3, 8), lanesByDefault(0, 4), lanesByDefault(0, 64)]).toEqual([
      1, 5, 4, 8,
    ])
  })
})
