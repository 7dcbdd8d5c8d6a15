import { readInt64 } from '#src/domain/int64-words.ts'

/** The only row of the clock. */
export const clockKey = 0

/** The newest packed time at or before a time. */
export function timeAt(times: Uint8Array, time: bigint): bigint | undefined {
  for (let offset = times.length - 8; offset >= 0; offset -= 8) {
    const noted = readInt64(times, offset)
    if (noted <= time) return noted
  }
  return undefined
}
