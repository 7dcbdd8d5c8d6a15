import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'

/** Nanoseconds since 1970-01-01T00:00:00Z on the ledger's clock; a signed 64-bit integer. */
export type LedgerTime = bigint & { readonly __brand: 'LedgerTime' }

export const nanosPerSecond = 1_000_000_000n
export const maxInt64 = 9_223_372_036_854_775_807n
export const minInt64 = -maxInt64 - 1n

const maxUint32 = 0xffff_ffffn

const ticksPerSecond = 1_953_125
const nanosPerTick = 512
const ticksPerHighWord = 2 ** 23

/** Parses `seconds` or `seconds.fraction` (1 to 10 and 1 to 9 digits; the fraction is padded on the right). */
export function parseLedgerTime(text: string): LedgerTime | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const [, seconds = '0', fraction = ''] = match
  return (BigInt(seconds) * nanosPerSecond + BigInt(fraction.padEnd(9, '0'))) as LedgerTime
}

/** Writes `seconds.nnnnnnnnn`, the form of every timestamp in the REST API: nine fraction digits, seconds not padded. */
export function formatLedgerTime(time: bigint): string {
  if (time >= 0n && time < wordsMax) {
    whole[0] = time
    return formatTimeWords(words[highWord]!, words[lowWord]!)
  }
  const text = time.toString()
  if (time >= nanosPerSecond) return `${text.slice(0, -9)}.${text.slice(-9)}`
  const digits = text.slice(1).padStart(10, '0')
  return `-${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** ns; below this, there are less than 2^53 ticks of 512 ns. */
const wordsMax = 2n ** 62n

/** The same of the two halves of a time from 0 to below 2^62 ns, without arithmetic on big numbers. */
function formatTimeWords(high: number, low: number): string {
  const ticks = high * ticksPerHighWord + (low >>> 9)
  const seconds = Math.floor(ticks / ticksPerSecond)
  const nanos = (ticks - seconds * ticksPerSecond) * nanosPerTick + (low & 511)
  return `${seconds}.${String(nanos + 1e9).slice(1)}`
}

/** Seconds and nanos of a protobuf Timestamp as one number, saturating at the signed 64-bit limits. */
export function saturatingLedgerTime(seconds: bigint, nanos: number): LedgerTime {
  if (seconds >= 0n && seconds <= maxUint32 && nanos >= 0) return ledgerTimeOf(Number(seconds), nanos)
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
