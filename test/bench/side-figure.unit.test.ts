import { describe, expect, it } from 'vitest'
import { comparedWith, formatTable, type Measured, type SideFigure } from '#test/bench/side-figure.ts'

const measured: Measured = {
  side: 'kafka+embedded',
  isStandIn: false,
  stage: 'publish',
  cpuUsEach: 15,
  perSecond: 60_000,
  peakMiB: 200,
  load: 1,
}
const reference: SideFigure = {
  ...measured,
  side: 'embedded',
  cpuUsEach: 10,
  perSecond: 120_000,
  ofEmbedded: undefined,
}

describe('figures of engines side by side', () => {
  it('are compared with the same stage of the reference', () => {
    expect(comparedWith([reference], measured).ofEmbedded).toEqual({ rate: 0.5, cpu: 1.5 })
  })

  it('stand alone where the reference has no such stage', () => {
    expect(comparedWith([], measured).ofEmbedded).toBeUndefined()
    expect(comparedWith([reference], { ...measured, stage: 'rebuild' }).ofEmbedded).toBeUndefined()
  })

  it('become a table that names stand-ins and leaves out what was not measured', () => {
    const standIn = { ...measured, side: 'embedded+ferretdb', isStandIn: true, stage: 'blocks', perSecond: 900 }
    const figures = [reference, comparedWith([reference], measured), comparedWith([reference], standIn)]
    expect(formatTable(figures)).toEqual([
      '| Per second (of embedded) | embedded | kafka+embedded | embedded+ferretdb (stand-in) |',
      '|---|---|---|---|',
      '| publish | 120,000 | 60,000 (0.50) |  |',
      '| blocks |  |  | 900 |',
    ])
  })
})
