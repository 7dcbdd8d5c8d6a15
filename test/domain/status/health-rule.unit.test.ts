import { describe, expect, it } from 'vitest'
import { beginRule, type HealthRule, judge, type RuleState, takeSample } from '#src/domain/status/health-rule.ts'

const rule: HealthRule = {
  metric: 'importer_lag_seconds',
  levels: [
    { status: 'degraded_performance', over: 30, forSeconds: 60 },
    { status: 'partial_outage', over: 300, forSeconds: 60 },
  ],
  recoverBelow: 15,
  recoverForSeconds: 120,
  silenceAfterSeconds: 90,
  silenceStatus: 'major_outage',
}

/** What samples, each so many seconds after the beginning, lead to, looked at each thirty seconds. */
function changes(samples: readonly (readonly [seconds: number, value: number])[], untilSeconds?: number): string[] {
  let state: RuleState = beginRule(rule, 'operational', 0)
  const found: string[] = []
  const look = (seconds: number): void => {
    const change = judge(rule, state, seconds * 1_000)
    if (change === undefined) return
    found.push(`${seconds} ${change.status} (${change.reason} since ${change.since / 1_000})`)
    state = { ...state, status: change.status }
  }
  const last = untilSeconds ?? samples.at(-1)?.[0] ?? 0
  for (let seconds = 0; seconds <= last; seconds += 30) {
    const [, value] = samples.find(([at]) => at === seconds) ?? []
    if (value !== undefined) state = takeSample(rule, state, { at: seconds * 1_000, value })
    look(seconds)
  }
  return found
}

/** A value each thirty seconds. */
function steady(fromSeconds: number, toSeconds: number, value: number): [number, number][] {
  return Array.from({ length: (toSeconds - fromSeconds) / 30 + 1 }, (_, index) => [fromSeconds + index * 30, value])
}

describe('a rule over a measured figure', () => {
  it('takes a level only after its hold time, and a spike for none', () => {
    expect(
      changes([
        [0, 40],
        [30, 12],
        [60, 45],
        [90, 60],
        [120, 75],
      ]),
    ).toEqual(['120 degraded_performance (level since 60)'])
  })

  it('goes to the worst level at once when its own hold time has passed', () => {
    expect(changes(steady(0, 90, 400))).toEqual(['60 partial_outage (level since 0)'])
  })

  it('keeps the level between recovery and the first threshold, and recovers after the time for that', () => {
    const samples = [...steady(0, 60, 40), ...steady(90, 240, 20), ...steady(270, 390, 10)]
    expect(changes(samples)).toEqual([
      '60 degraded_performance (level since 0)',
      '390 operational (recovery since 270)',
    ])
  })

  it('goes down to a milder level when it has been there for the time of a recovery', () => {
    const samples = [...steady(0, 60, 400), ...steady(90, 240, 100)]
    expect(changes(samples)).toEqual([
      '60 partial_outage (level since 0)',
      '210 degraded_performance (recovery since 90)',
    ])
  })

  it('takes silence for an outage, also where there was never a sample', () => {
    expect(changes(steady(0, 60, 1), 240)).toEqual(['150 major_outage (silence since 60)'])
    expect(changes([], 120)).toEqual(['90 major_outage (silence since 0)'])
  })

  it('counts hold times from the first sample after a silence, not across it', () => {
    const samples = [...steady(0, 60, 1), [300, 1], ...steady(330, 420, 1)] as [number, number][]
    expect(changes(samples)).toEqual(['150 major_outage (silence since 60)', '420 operational (recovery since 300)'])
  })
})
