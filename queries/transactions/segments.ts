import { postingBytes } from '#projections/transactions/postings.ts'
import { segmentSize } from '#projections/transactions/schema.ts'
import type { TransactionContext, TransactionRows } from '#queries/transactions/reads.ts'

export const postingKey = ['segment', 'kind', 'term', 'window'] as const

/** Times known to lie inside complete segments, which never change; one entry per segment and reader. */
const knownTimes = new WeakMap<TransactionRows, Map<number, bigint>>()

/** The segments that exist at the request's checkpoint: 0 to this one, -1 for none. */
export function lastSegment({ checkpoint }: TransactionContext): number {
  return Math.floor((checkpoint.position - 1) / segmentSize)
}

export function firstTimeOf(entries: Uint8Array): bigint {
  return new DataView(entries.buffer, entries.byteOffset, entries.byteLength).getBigInt64(0)
}

export function lastTimeOf(entries: Uint8Array): bigint {
  return new DataView(entries.buffer, entries.byteOffset, entries.byteLength).getBigInt64(
    entries.byteLength - postingBytes,
  )
}

export interface SegmentRange {
  readonly from: number
  readonly to: number
}

/**
 * The segments that can hold times from `lower` to `upper`. Segments ascend in time, so one time known to lie inside a
 * segment rules out all later ones when it is above the range, and all earlier ones when it is below. A segment without
 * postings tells nothing and rules nothing out.
 */
export async function segmentsWithin(context: TransactionContext, lower: bigint, upper: bigint): Promise<SegmentRange> {
  const last = lastSegment(context)
  if (last < 1) return { from: 0, to: last }
  const to =
    upper >= context.checkpoint.time
      ? last
      : await firstWhere(context, 0, last, (time) => time !== undefined && time > upper)
  const past = lower <= 0n ? 0 : await firstWhere(context, 0, to, (time) => time === undefined || time >= lower)
  return { from: Math.max(0, past - 1), to }
}

/** Binary search for the first segment whose known time satisfies a condition that holds for all later ones; else `to`. */
async function firstWhere(
  context: TransactionContext,
  from: number,
  to: number,
  holds: (time: bigint | undefined) => boolean,
): Promise<number> {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(await timeInside(context, middle))) high = middle
    else low = middle + 1
  }
  return low
}

async function timeInside(context: TransactionContext, segment: number): Promise<bigint | undefined> {
  const { transactions } = context.rows
  const known = knownTimes.get(transactions) ?? new Map<number, bigint>()
  knownTimes.set(transactions, known)
  const time = known.get(segment)
  if (time !== undefined) return time
  const [row] = await transactions.find({
    collection: 'postings',
    index: postingKey,
    prefix: [segment],
    limit: 1,
    select: ['entries'],
  })
  if (row === undefined) return undefined
  const found = firstTimeOf(row.entries)
  if (segment < lastSegment(context)) known.set(segment, found)
  return found
}
