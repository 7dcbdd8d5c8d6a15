import { rest } from '#src/ports/clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface ScrubTimes {
  /** Hours from the beginning of one to that of the next; 0 for never. */
  readonly everyHours: number
  /** Hour of the day (UTC) that they begin in; null for any. */
  readonly hour: number | null
}

/** When the next one is to begin, milliseconds since the epoch: `afterMs` is when the last began, or the rows did. */
export function nextScrubMs({ everyHours, hour }: ScrubTimes, afterMs: number): number {
  const everyMs = everyHours * hourMs
  if (hour === null) return afterMs + everyMs
  const earliestMs = afterMs + Math.max(0, everyMs - dayMs)
  const sameDayMs = Math.floor(earliestMs / dayMs) * dayMs + hour * hourMs
  return sameDayMs > earliestMs ? sameDayMs : sameDayMs + dayMs
}

/** Rests after each piece of work for so long that working takes this share of the time. */
export function restFor(share: number): (busyMs: number) => Promise<void> {
  return (busyMs) => rest(busyMs * (1 / share - 1))
}
