import { readInt64 } from '#src/domain/int64-words.ts'

/** Packed entries of one width: a time each, int64, and a payload; ascending. */
export type Chunk = Uint8Array

export function firstTime(chunk: Chunk): bigint {
  return readInt64(chunk, 0)
}

export function lastTime(chunk: Chunk, width: number): bigint {
  return readInt64(chunk, chunk.length - width)
}

/** The entries from one time to another, both inclusive. */
export function within(chunk: Chunk, width: number, lower: bigint, upper: bigint): Chunk {
  if (chunk.length === 0 || (firstTime(chunk) >= lower && lastTime(chunk, width) <= upper)) return chunk
  const from = countBelow(chunk, width, lower)
  const to = countBelow(chunk, width, upper + 1n)
  return chunk.subarray(from * width, Math.max(from, to) * width)
}

/** Binary search: how many entries are before a time. */
function countBelow(chunk: Chunk, width: number, time: bigint): number {
  let low = 0
  let high = chunk.length / width
  while (low < high) {
    const middle = (low + high) >>> 1
    if (readInt64(chunk, middle * width) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Both in one order; an entry that is in both comes once. */
export function union(one: Chunk, other: Chunk, width: number): Chunk {
  const entries = [...entriesOf(one, width), ...entriesOf(other, width)].sort(Buffer.compare)
  const distinct = entries.filter((entry, index) => index === 0 || !entry.equals(entries[index - 1]!))
  return Buffer.concat(distinct)
}

function entriesOf(chunk: Chunk, width: number): Buffer[] {
  return Array.from({ length: chunk.length / width }, (_, index) =>
    Buffer.from(chunk.buffer, chunk.byteOffset + index * width, width),
  )
}
