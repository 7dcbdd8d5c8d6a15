import { describe, expect, it } from 'vitest'
import { createThrottle } from '#src/runtime/replay/throttle.ts'

function given(perSecond: number | undefined) {
  const state = { nowMs: 0, perSecond, waits: 0 }
  const throttle = createThrottle({
    perSecondMax: () => state.perSecond,
    now: () => state.nowMs,
    wait: async (milliseconds) => {
      state.waits += 1
      state.nowMs += milliseconds
    },
  })
  return { state, throttle }
}

describe('throttle', () => {
  it('keeps the mean at the bound, whatever the amounts', async () => {
    const { state, throttle } = given(1_000)
    for (const amount of [10, 2_000, 1, 989, 500, 500, 6_000]) await throttle(amount)
    expect(state.nowMs).toBeGreaterThanOrEqual(10_000)
    expect(state.nowMs).toBeLessThan(10_050)
  })

  it('never waits without a bound', async () => {
    const { state, throttle } = given(undefined)
    await throttle(1_000_000)
    expect(state.waits).toBe(0)
  })

  it('lets a pause be made up for by a second of work at most', async () => {
    const { state, throttle } = given(100)
    await throttle(1)
    state.nowMs += 3_600_000
    const before = state.nowMs
    await throttle(100)
    expect(state.nowMs).toBe(before)
    await throttle(100)
    expect(state.nowMs - before).toBeGreaterThanOrEqual(1_000)
  })

  it('follows a bound that changes under way', async () => {
    const { state, throttle } = given(10)
    const waiting = throttle(1_000_000)
    state.perSecond = undefined
    await waiting
    expect(state.nowMs).toBeLessThan(1_000)
  })

  it('ends its wait when it is told to', async () => {
    const { state, throttle } = given(1)
    await throttle(1_000_000, AbortSignal.abort())
    expect(state.waits).toBe(0)
  })
})
