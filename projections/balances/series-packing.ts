import { appended } from '#src/domain/appended-bytes.ts'

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
 * The newest points of a series, and how many chunks of older ones were put away. An epoch begins where a statement about
 * the past reaches into what was put away: points of earlier epochs hold until the present one starts.
 */
export interface Series {
  readonly epoch: number
  readonly chunks: number
  /** Packed points in ascending order of time, 17 bytes each. */
  readonly tail: Uint8Array
}

export interface Extended {
  readonly series: Series
  /** Packed points to put away, if the tail grew too long. */
  readonly spilled: Uint8Array | undefined
}

const pointBytes = 17
const timeAt = 0
const amountAt = 8
const flagsAt = 16

/** Most points of a tail. More would make every write larger, fewer would make more chunks; 16 points are 272 bytes. */
export const tailPointsMax = 16

const tailBytesMax = tailPointsMax * pointBytes

const nothing = new Uint8Array(0)
export const emptySeries: Series = { epoch: 0, chunks: 0, tail: nothing }

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function readPoint(view: DataView, offset: number): Point {
  return {
    time: view.getBigInt64(offset + timeAt),
    amount: view.getBigInt64(offset + amountAt),
    flags: view.getUint8(offset + flagsAt),
  }
}

export function firstTime(points: Uint8Array): bigint {
  return viewOf(points).getBigInt64(timeAt)
}

export function lastPoint(points: Uint8Array): Point | undefined {
  return points.length === 0 ? undefined : readPoint(viewOf(points), points.length - pointBytes)
}

/** The newest point at or before a time. */
export function pointAt(points: Uint8Array, time: bigint): Point | undefined {
  const view = viewOf(points)
  for (let offset = points.length - pointBytes; offset >= 0; offset -= pointBytes)
    if (view.getBigInt64(offset + timeAt) <= time) return readPoint(view, offset)
  return undefined
}

export function unpack(points: Uint8Array): Point[] {
  const view = viewOf(points)
  return Array.from({ length: points.length / pointBytes }, (_, index) => readPoint(view, index * pointBytes))
}

function pack(points: readonly Point[]): Uint8Array {
  const bytes = new Uint8Array(points.length * pointBytes)
  const view = viewOf(bytes)
  for (const [index, point] of points.entries()) writePoint(view, index * pointBytes, point)
  return bytes
}

function writePoint(view: DataView, offset: number, { time, amount, flags }: Point): void {
  view.setBigInt64(offset + timeAt, time)
  view.setBigInt64(offset + amountAt, amount)
  view.setUint8(offset + flagsAt, flags)
}

/**
 * Adds the newest point, which takes the place of one of the same time. Chunks are counted and not timed, so they depend on
 * the points alone. Where a statement was of a later time, the change counts from then on.
 */
export function withPoint({ epoch, chunks, tail }: Series, point: Point): Extended {
  const end = tail.length
  const newest = end === 0 ? undefined : viewOf(tail).getBigInt64(end - pointBytes + timeAt)
  if (newest !== undefined && point.time <= newest) {
    const changed = new Uint8Array(tail)
    writePoint(viewOf(changed), end - pointBytes, { ...point, time: newest })
    return { series: { epoch, chunks, tail: changed }, spilled: undefined }
  }
  const isFull = end >= tailBytesMax
  const grown = appended(isFull ? nothing : tail, tailBytesMax, pointBytes)
  writePoint(viewOf(grown), grown.length - pointBytes, point)
  return { series: { epoch, chunks: isFull ? chunks + 1 : chunks, tail: grown }, spilled: isFull ? tail : undefined }
}

/** Changes what holds from a time on, whatever was known of it, and keeps what each later point says besides. */
export function restated(
  series: Series,
  time: bigint,
  change: (point: Point) => Point,
): Extended & { begins: boolean } {
  const { tail, chunks, epoch } = series
  const newest = lastPoint(tail)
  const blank: Point = { time, amount: 0n, flags: 0 }
  if (newest === undefined || time > newest.time)
    return { ...withPoint(series, { ...change(newest ?? blank), time }), begins: false }
  if (chunks > 0 && time < firstTime(tail)) {
    const { amount, flags } = change(newest)
    return {
      series: { epoch: epoch + 1, chunks: 0, tail: pack([{ time, amount, flags }]) },
      spilled: tail,
      begins: true,
    }
  }
  const points = unpack(tail)
  const before = points.filter((point) => point.time < time)
  const from = { ...change(pointAt(tail, time) ?? blank), time }
  const later = points.filter((point) => point.time > time).map((point) => ({ ...change(point), time: point.time }))
  const all = [...before, from, ...later]
  if (all.length <= tailPointsMax)
    return { series: { epoch, chunks, tail: pack(all) }, spilled: undefined, begins: false }
  const spilled = pack(all.slice(0, tailPointsMax))
  return { series: { epoch, chunks: chunks + 1, tail: pack(all.slice(tailPointsMax)) }, spilled, begins: false }
}
