import type { PostingTerm } from '#queries/transactions/posting-cursor.ts'
import { PostingCursor } from '#queries/transactions/posting-cursor.ts'
import type { PostingFilter } from '#queries/transactions/posting-scan.ts'
import { PostingScan } from '#queries/transactions/posting-scan.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { firstTimeOf, lastTimeOf, segmentsWithin } from '#queries/transactions/segments.ts'

/** Most segments asked at the same time when the newest ones hold too little. */
const segmentsAtOnceMax = 16
/** Most cursors open at the same time, unless the lists alone are more. */
const cursorsMax = 64
/** Most windows that all cursors hold together, unless there are more cursors. A window takes up to 49,152 bytes. */
const windowsHeldMax = 256
/** Times handed over together. */
const batchTimes = 128

/**
 * Consensus times of the transactions that are on any of the lists and pass the filter, in the order asked for, a batch
 * per window. Walks segments and windows from the end where the order begins, as far as the caller reads.
 */
export async function* findPostings(
  context: TransactionContext,
  lists: readonly PostingTerm[],
  filter: PostingFilter,
  descending: boolean,
): AsyncGenerator<bigint[], void, undefined> {
  const rows = context.rows.transactions
  const { from, to } = await segmentsWithin(context, filter.lower, filter.upper)
  const start = descending ? to : from
  const step = descending ? -1 : 1
  const atOnceMax = Math.min(segmentsAtOnceMax, Math.max(1, Math.floor(cursorsMax / lists.length)))
  let atOnce = 1
  for (let walked = 0; walked <= to - from; ) {
    const count = Math.min(atOnce, to - from + 1 - walked)
    const windowsMax = Math.max(1, Math.floor(windowsHeldMax / (count * lists.length)))
    const groups = Array.from({ length: count }, (_, index) => {
      const segment = start + step * (walked + index)
      const edge = walked + index === 0 ? edgeOf(context, filter, descending) : undefined
      return lists.map((list) => new PostingCursor({ rows, list, segment, descending, from: edge, windowsMax }))
    })
    await Promise.all(groups.flat().map((cursor) => cursor.peek()))
    for (const cursors of groups) {
      if (yield* walkSegment(context, cursors, filter, descending)) return
    }
    walked += count
    // Segments that hold nothing of the lists do not pause by themselves.
    await context.pause()
    atOnce = Math.min(atOnce * 2, atOnceMax)
  }
}

/** The time to look for within the first segment; undefined where the walk begins at the segment's own end. */
function edgeOf({ checkpoint }: TransactionContext, filter: PostingFilter, descending: boolean): bigint | undefined {
  const bounded = descending ? filter.upper < checkpoint.time : filter.lower > 0n
  if (!bounded) return undefined
  return descending ? filter.upper : filter.lower
}

/** Returns true when everything further on lies outside the time range. */
async function* walkSegment(
  context: TransactionContext,
  cursors: readonly PostingCursor[],
  filter: PostingFilter,
  descending: boolean,
): AsyncGenerator<bigint[], boolean, undefined> {
  for (;;) {
    const windows = await Promise.all(cursors.map((cursor) => cursor.peek()))
    const known = windows.filter((window) => window !== undefined)
    if (known.length === 0) return false
    const window = descending ? Math.max(...known) : Math.min(...known)
    const entries = cursors.filter((_, index) => windows[index] === window).map((cursor) => cursor.take())
    yield* mergeWindow(entries, filter, descending)
    if (entries.some((bytes) => (descending ? firstTimeOf(bytes) < filter.lower : lastTimeOf(bytes) > filter.upper))) {
      return true
    }
    await context.pause()
  }
}

/** Times of one window's lists in order, each once, in batches: a page of a busy account needs only a few of them. */
function* mergeWindow(
  entries: readonly Uint8Array[],
  filter: PostingFilter,
  descending: boolean,
): Generator<bigint[], void, undefined> {
  const scans = entries.map((bytes) => new PostingScan(bytes, filter, descending))
  let batch: bigint[] = []
  for (;;) {
    const time = nextTime(scans, descending)
    if (time === undefined) break
    batch.push(time)
    if (batch.length < batchTimes) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The foremost time of all scans; moves every scan that stands there. */
function nextTime(scans: readonly PostingScan[], descending: boolean): bigint | undefined {
  let foremost: bigint | undefined
  for (const { time } of scans) {
    if (time !== undefined && (foremost === undefined || time > foremost === descending)) foremost = time
  }
  if (foremost === undefined) return undefined
  for (const scan of scans) if (scan.time === foremost) scan.advance()
  return foremost
}
