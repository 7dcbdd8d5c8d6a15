import { expect, it } from 'vitest'
import { dailyUptime, daysOf, overlay, uptimePercent } from '#queries/status/uptime.ts'
import { worstStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import { dayAt, formatInstant, shortTime, startOfDay } from '#src/domain/status/zoned-time.ts'

const minute = 60_000
const at = (text: string): number => Date.parse(text)
const during = (from: string, until: string, status: ComponentStatus) => ({ from: at(from), until: at(until), status })
const worstOf = (holding: readonly { readonly status: ComponentStatus }[]): ComponentStatus =>
  worstStatus(holding.map(({ status }) => status))

it('counts partial outages to a third less a bit, and the rest not at all', () => {
  const day = (majorMs: number, partialMs: number) => ({ majorMs, partialMs, totalMs: 1440 * minute })
  expect(uptimePercent([day(0, 0)])).toBe(100)
  expect(uptimePercent([day(70 * minute, 20 * minute)])).toBe(94.722)
  expect(uptimePercent([day(0, 1440 * minute)])).toBe(70)
  expect(uptimePercent([{ majorMs: 0, partialMs: 0, totalMs: 0 }])).toBeNull()
})

it('rounds halves to the even neighbour', () => {
  expect(uptimePercent([{ majorMs: 0, partialMs: 45 * minute, totalMs: 1440 * minute }])).toBe(99.062)
})

it('lays states that overlap over each other', () => {
  const said = [
    during('2026-03-01T10:00Z', '2026-03-01T12:00Z', 'degraded_performance'),
    during('2026-03-01T11:00Z', '2026-03-01T11:30Z', 'major_outage'),
    during('2026-03-01T13:00Z', '2026-03-01T14:00Z', 'partial_outage'),
  ]
  expect(overlay(said, worstOf)).toEqual([
    during('2026-03-01T10:00Z', '2026-03-01T11:00Z', 'degraded_performance'),
    during('2026-03-01T11:00Z', '2026-03-01T11:30Z', 'major_outage'),
    during('2026-03-01T11:30Z', '2026-03-01T12:00Z', 'degraded_performance'),
    during('2026-03-01T13:00Z', '2026-03-01T14:00Z', 'partial_outage'),
  ])
})

it('cuts days at midnight of the page, also when clocks change', () => {
  // On 8 March 2026 the clocks of Chicago went forward: the day had 23 hours.
  const window = { days: 2, now: at('2026-03-10T04:00Z'), timeZone: 'America/Chicago' }
  const outage = [during('2026-03-09T04:30Z', '2026-03-09T05:30Z', 'major_outage')]
  const days = dailyUptime(outage, 0, daysOf(window))
  expect(days.map(({ date, majorMs, totalMs }) => [date, majorMs / minute, totalMs / minute])).toEqual([
    ['2026-03-08', 30, 23 * 60],
    ['2026-03-09', 30, 23 * 60],
  ])
})

it('knows nothing of days before the start', () => {
  const window = { days: 3, now: at('2026-03-03T12:00Z'), timeZone: 'Etc/UTC' }
  const days = dailyUptime([], at('2026-03-02T00:00Z'), daysOf(window))
  expect(days.map((day) => uptimePercent([day]))).toEqual([null, 100, 100])
  expect(days.map(({ totalMs }) => totalMs / minute)).toEqual([0, 1440, 720])
})

it('writes instants with the offset of the zone at each of them', () => {
  expect(formatInstant('2026-02-03T14:05:10.250Z', 'Etc/UTC')).toBe('2026-02-03T14:05:10.250Z')
  expect(formatInstant('2026-02-03T14:05:10.250Z', 'America/Chicago')).toBe('2026-02-03T08:05:10.250-06:00')
  expect(formatInstant('2026-07-03T14:05:10.250Z', 'America/Chicago')).toBe('2026-07-03T09:05:10.250-05:00')
  expect(formatInstant('2026-02-03T14:05:10.250Z', 'Asia/Kolkata')).toBe('2026-02-03T19:35:10.250+05:30')
  expect(shortTime('2026-03-04T22:40:00.000Z', 'Etc/UTC')).toBe('Mar 4, 22:40 UTC')
})

it('begins days where clocks have no midnight with the hour that there is', () => {
  // Clocks in Beirut went from 24:00 of 28 March 2026 to 01:00.
  const start = startOfDay('2026-03-29', 'Asia/Beirut')
  expect(new Date(start).toISOString()).toBe('2026-03-28T22:00:00.000Z')
  expect(dayAt(start - 1, 'Asia/Beirut')).toBe('2026-03-28')
})
