/** A calendar day, as `2026-03-04`. */
export type Day = string

const utcZones: ReadonlySet<string> = new Set(['Etc/UTC', 'UTC', 'Etc/GMT', 'GMT'])
const minuteMs = 60_000
const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()
/** A page has one time zone, which changes hardly ever. */
const formatsMax = 32

/** Formats of Intl cost some 50 us to make, and 1 us to use. */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known
  if (formats.size >= formatsMax) formats.clear()
  const made = new Intl.DateTimeFormat('en-US', { timeZone, ...options })
  formats.set(key, made)
  return made
}

/** Minutes that clocks of the zone are ahead of UTC at an instant. */
function offsetMinutes(ms: number, zone: string): number {
  if (utcZones.has(zone)) return 0
  const parts = formatIn(zone, { timeZoneName: 'longOffset' }).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** ISO 8601 with milliseconds and the zone's offset at that instant; `Z` in UTC. */
export function formatInstant(instant: string, zone: string): string {
  if (utcZones.has(zone)) return instant
  const ms = Date.parse(instant)
  const offset = offsetMinutes(ms, zone)
  const local = new Date(ms + offset * minuteMs).toISOString().slice(0, -1)
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** The day that the zone's clocks show at an instant. */
export function dayAt(ms: number, zone: string): Day {
  return new Date(ms + offsetMinutes(ms, zone) * minuteMs).toISOString().slice(0, 10)
}

/** The instant at which a day begins, in milliseconds. */
export function startOfDay(day: Day, zone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  const guess = utc - offsetMinutes(utc, zone) * minuteMs
  const start = utc - offsetMinutes(guess, zone) * minuteMs
  // Where clocks are put forward at midnight, the day begins with the hour that there is.
  return dayAt(start, zone) === day ? start : utc - offsetMinutes(start + 2 * 60 * minuteMs, zone) * minuteMs
}

/** The day so many days later. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** `Mar 4, 22:40 UTC` */
export function shortTime(instant: string, zone: string): string {
  const options = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const written = formatIn(zone, { ...options, timeZoneName: 'short' }).format(Date.parse(instant))
  return written.replace(/,? at /, ', ')
}

/** `4 March 2026` */
export function longDay(day: Day): string {
  const parts = formatIn('Etc/UTC', { day: 'numeric', month: 'long', year: 'numeric' }).formatToParts(Date.parse(day))
  const part = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? ''
  return `${part('day')} ${part('month')} ${part('year')}`
}

/** `March 2026` */
export function monthOf(day: Day): string {
  return longDay(day).replace(/^\d+ /, '')
}
