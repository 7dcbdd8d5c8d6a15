import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'

/** Nanoseconds since 1970-01-01T00:00:00Z on the ledger's clock; a signed 64-bit integer. */
export type LedgerTime = bigint & { readonly __brand: 'LedgerTime' }

export const nanosPerSecond = 1_000_000_000n
export const maxInt64 = 9_223_372_036_854_775_807n
export const minInt64 = -maxInt64 - 1n

// Seconds and nanoseconds are told apart in ticks, of which both a second and 2^32 ns are a whole number, below 2^53.
const ticksPerSecond = 1_953_125
const nanosPerTick = 512
const ticksPerHighWord = 2 ** 23
/** Times whose upper half is less have ticks below 2^53: until the year 2116. */
const exactHighWords = 2 ** 30

/** Parses `seconds` or `seconds.fraction` (1 to 10 and 1 to 9 digits; the fraction is padded on the right). */
export function parseLedgerTime(text: string): LedgerTime | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const [, seconds = '0', fraction = ''] = match
  return (BigInt(seconds) * nanosPerSecond + BigInt(fraction.padEnd(9, '0'))) as LedgerTime
}

/** Writes `seconds.nnnnnnnnn`, the form of every timestamp in the REST API: nine fraction digits, seconds not padded. */
export function formatLedgerTime(time: bigint): string {
  whole[0] = time
  const high = words[highWord]!
  const low = words[lowWord]!
  if (high >= exactHighWords || (high === 0 && low < 1_000_000_000)) return formatAnyTime(time)
  const ticks = high * ticksPerHighWord + Math.floor(low / nanosPerTick)
  const seconds = Math.floor(ticks / ticksPerSecond)
  const nanos = `${(ticks - seconds * ticksPerSecond) * nanosPerTick + (low % nanosPerTick)}`
  return `${seconds}.${nanos.length === 9 ? nanos : nanos.padStart(9, '0')}`
}

function formatAnyTime(time: bigint): string {
  const text = time.toString()
  if (time >= nanosPerSecond) return `${text.slice(0, -9)}.${text.slice(-9)}`
  if (time >= 0n) return `0.${text.padStart(9, '0')}`
  const digits = text.slice(1).padStart(10, '0')
  return `-${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** Seconds and nanos of a protobuf Timestamp as one number, saturating at the signed 64-bit limits. */
export function saturatingLedgerTime(seconds: bigint, nanos: number): LedgerTime {
  const value = seconds * nanosPerSecond + BigInt(nanos)
  if (value > maxInt64) return maxInt64 as LedgerTime
  return (value < minInt64 ? minInt64 : value) as LedgerTime
}

/** The same without arithmetic on big numbers, of seconds below 2^32 and nanos below 2^31. */
export function ledgerTimeOf(seconds: number, nanos: number): LedgerTime {
  // Exact: ticks are below 2^53.
  const ticks = seconds * ticksPerSecond
  const high = Math.floor(ticks / ticksPerHighWord)
  const low = (ticks - high * ticksPerHighWord) * nanosPerTick + nanos
  words[lowWord] = low
  words[highWord] = low < 2 ** 32 ? high : high + 1
  return whole[0] as LedgerTime
}

const nanosPerDay = 86_400n * nanosPerSecond

/** Days since 1970-01-01 (UTC) of a time that is not before it. */
export function epochDayOf(time: bigint): bigint {
  return time / nanosPerDay
}

/** Midnight (UTC) that a day since 1970-01-01 begins with. */
export function startOfDay(epochDay: bigint): bigint {
  return epochDay * nanosPerDay
}
