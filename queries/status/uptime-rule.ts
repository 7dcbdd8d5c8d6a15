const minuteMs = 60_000

/** Said wherever uptime is shown: others count otherwise. */
export const uptimeRule =
  'Major outages count in full and partial ones to 30 percent; degraded performance and maintenance count as up. Days before the start date do not count.'

/** Three decimals: a millisecond is 0.000017 minutes. */
export function minutesOf(ms: number): number {
  return Math.round((1_000 * ms) / minuteMs) / 1_000
}
