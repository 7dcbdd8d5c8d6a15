import { describe, expect, it } from 'vitest'
import { nextScrubMs, restFor } from '#src/runtime/replay/scrub-times.ts'

const at = (text: string): number => Date.parse(`2026-03-0${text}Z`)
const next = (everyHours: number, hour: number | null, after: string): string =>
  new Date(nextScrubMs({ everyHours, hour }, at(after))).toISOString().slice(9, 16)

describe('the next scrub', () => {
  it('begins as long after the last one as is configured', () => {
    expect(next(24, null, '1T10:30')).toBe('2T10:30')
    expect(next(0.5, null, '1T10:30')).toBe('1T11:00')
  })

  it('begins in its hour, once a day', () => {
    expect(next(24, 3, '1T10:30')).toBe('2T03:00')
    expect(next(24, 3, '2T03:00')).toBe('3T03:00')
    expect(next(24, 23, '1T10:30')).toBe('1T23:00')
    expect(next(6, 3, '2T03:00')).toBe('3T03:00')
  })

  it('begins in its hour every so many days', () => {
    expect(next(72, 3, '2T03:00')).toBe('5T03:00')
  })
})

it('rests for so long that it works for its share of the time', async () => {
  const began = performance.now()
  await restFor(0.1)(10)
  expect(performance.now() - began).toBeGreaterThanOrEqual(88)
  await restFor(1)(10_000)
  expect(performance.now() - began).toBeLessThan(5_000)
})
