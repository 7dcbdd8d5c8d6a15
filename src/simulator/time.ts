/** An instant as the network writes it. Kept as two numbers: bigint arithmetic per transaction would cost more. */
export interface Instant {
  readonly seconds: number
  readonly nanos: number
}

const nanosPerSecond = 1_000_000_000

/** `nanos` may be negative; the sum is normalized. */
export function addNanos(instant: Instant, nanos: number): Instant {
  const sum = instant.nanos + nanos
  const carry = Math.floor(sum / nanosPerSecond)
  return { seconds: instant.seconds + carry, nanos: sum - carry * nanosPerSecond }
}

export function instantOf(time: bigint): Instant {
  return { seconds: Number(time / 1_000_000_000n), nanos: Number(time % 1_000_000_000n) }
}

export function nanosSinceEpoch({ seconds, nanos }: Instant): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}

/** The UTC day since the epoch, by which staking counts. */
export function epochDay({ seconds }: Instant): number {
  return Math.floor(seconds / 86_400)
}

/** The text of a file name: `2026-01-01T00_00_00.000000001Z`. */
export function fileInstant({ seconds, nanos }: Instant): string {
  const text = new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(':', '_')
  return `${text}.${String(nanos).padStart(9, '0')}Z`
}
