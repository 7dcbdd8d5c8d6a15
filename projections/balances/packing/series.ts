import { readInt64, writeInt64 } from '#src/domain/int64-words.ts'

/** What an account held from a time on, until the next point. */
export interface Point {
  /** ns; consensus time of the change, or since when it is stated. */
  readonly time: bigint
  /** tinybar, or the smallest unit of the token. */
  readonly amount: bigint
  readonly flags: number
}

export const PointFlag = {
  /** The amount is known. */
  known: 1,
  /** Of a token: the account may hold it. */
  associated: 2,
} as const

/**
 * The newest points of a series, and how many chunks of older ones were archived. A segment begins where a statement about
 * the past reaches into what was archived: points of earlier segments hold until the present one starts.
 */
export interface Series {
  readonly segment: number
  readonly chunks: number
  /** Points in the tail. */
  readonly points: number
  /** Packed points in ascending order of time, 17 bytes each, and zeros where there is room for more. */
  readonly tail: Uint8Array
}

export interface Extended {
  readonly series: Series
  /** Packed points to archive, if the tail was full. */
  readonly spilled: Uint8Array | undefined
}

const pointBytes = 17
const amountAt = 8
const flagsAt = 16

/**
 * Room of a tail, in points. A new series begins with little. Most have few changes between two commits, each of which
 * writes the whole tail; of those that change all the time, as fee accounts do, it is the chunks that cost.
 */
const firstRoom = 4
const usualRoom = 16
const busyRoom = 128

/** ns; a tail whose points are closer together than this on average is a busy one. */
const busyGap = 62_500_000n

const nothing = new Uint8Array(0)
export const emptySeries: Series = { segment: 0, chunks: 0, points: 0, tail: nothing }

function readPoint(bytes: Uint8Array, offset: number): Point {
  return {
    time: readInt64(bytes, offset),
    amount: readInt64(bytes, offset + amountAt),
    flags: bytes[offset + flagsAt]!,
  }
}

function writePoint(bytes: Uint8Array, offset: number, { time, amount, flags }: Point): void {
  writeInt64(bytes, offset, time)
  writeInt64(bytes, offset + amountAt, amount)
  bytes[offset + flagsAt] = flags
}

/** The points of a tail without the room behind them. */
export function tailOf({ points, tail }: Pick<Series, 'points' | 'tail'>): Uint8Array {
  return tail.subarray(0, points * pointBytes)
}

export function firstTime(packed: Uint8Array): bigint {
  return readInt64(packed, 0)
}

export function lastPoint({ points, tail }: Pick<Series, 'points' | 'tail'>): Point | undefined {
  return points === 0 ? undefined : readPoint(tail, (points - 1) * pointBytes)
}

/** The newest point at or before a time. */
export function pointAt(packed: Uint8Array, time: bigint): Point | undefined {
  for (let offset = packed.length - pointBytes; offset >= 0; offset -= pointBytes)
    if (readInt64(packed, offset) <= time) return readPoint(packed, offset)
  return undefined
}

export function unpack(packed: Uint8Array): Point[] {
  return Array.from({ length: packed.length / pointBytes }, (_, index) => readPoint(packed, index * pointBytes))
}

function pack(points: readonly Point[]): Uint8Array {
  const bytes = new Uint8Array(points.length * pointBytes)
  for (const [index, point] of points.entries()) writePoint(bytes, index * pointBytes, point)
  return bytes
}

/**
 * Adds the newest point, which takes the place of one of the same time. Chunks are counted and not timed, so they depend on
 * the points alone. Where a statement was of a later time, the change counts from then on.
 *
 * The point is written into the room of the tail that is given, which the series from before does not look at: only the
 * newest series of a row may be extended.
 */
export function withPoint({ segment, chunks, points, tail }: Series, point: Point): Extended {
  const end = points * pointBytes
  if (points > 0) {
    const newest = readInt64(tail, end - pointBytes)
    if (point.time <= newest) {
      const changed = new Uint8Array(tail)
      writePoint(changed, end - pointBytes, { ...point, time: newest })
      return { series: { segment, chunks, points, tail: changed }, spilled: undefined }
    }
  }
  if (end < tail.length) {
    writePoint(tail, end, point)
    return { series: { segment, chunks, points: points + 1, tail }, spilled: undefined }
  }
  return points < usualRoom ? withMoreRoom(segment, chunks, tail, point) : withNewTail(segment, chunks, tail, point)
}

function withMoreRoom(segment: number, chunks: number, tail: Uint8Array, point: Point): Extended {
  const points = tail.length / pointBytes
  const grown = new Uint8Array((points < firstRoom ? firstRoom : usualRoom) * pointBytes)
  grown.set(tail)
  writePoint(grown, tail.length, point)
  return { series: { segment, chunks, points: points + 1, tail: grown }, spilled: undefined }
}

function withNewTail(segment: number, chunks: number, full: Uint8Array, point: Point): Extended {
  const gaps = BigInt(full.length / pointBytes)
  const room = point.time - firstTime(full) < gaps * busyGap ? busyRoom : usualRoom
  const tail = new Uint8Array(room * pointBytes)
  writePoint(tail, 0, point)
  return { series: { segment, chunks: chunks + 1, points: 1, tail }, spilled: full }
}

/** Changes what holds from a time on, whatever was known of it, and keeps what each later point says besides. */
export function restated(
  series: Series,
  time: bigint,
  change: (point: Point) => Point,
): Extended & { begins: boolean } {
  const { chunks, segment } = series
  const newest = lastPoint(series)
  const blank: Point = { time, amount: 0n, flags: 0 }
  if (newest === undefined || time > newest.time)
    return { ...withPoint(series, { ...change(newest ?? blank), time }), begins: false }
  const tail = tailOf(series)
  if (chunks > 0 && time < firstTime(tail)) {
    const { amount, flags } = change(newest)
    const begun = { segment: segment + 1, chunks: 0, points: 1, tail: pack([{ time, amount, flags }]) }
    return { series: begun, spilled: tail, begins: true }
  }
  const points = unpack(tail)
  const before = points.filter((point) => point.time < time)
  const from = { ...change(pointAt(tail, time) ?? blank), time }
  const later = points.filter((point) => point.time > time).map((point) => ({ ...change(point), time: point.time }))
  const all = [...before, from, ...later]
  const room = Math.max(usualRoom, points.length)
  const [spilled, kept] = all.length <= room ? [[], all] : [all.slice(0, usualRoom), all.slice(usualRoom)]
  const next = { segment, chunks: spilled.length === 0 ? chunks : chunks + 1, points: kept.length, tail: pack(kept) }
  return { series: next, spilled: spilled.length === 0 ? undefined : pack(spilled), begins: false }
}
