import type { Epoch } from '#queries/blocks/numbering.ts'
import { readEpochs } from '#queries/blocks/numbering.ts'
import type { listParameters } from '#queries/blocks/params.ts'
import type { IntegerRange } from '#queries/common/integer-range.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import type { Order } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { QueryContext, QueryRequest } from '#queries/common/route.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { Row } from '#src/ports/read-store.ts'

export interface FoundBlock {
  /** True number. */
  readonly number: bigint
  readonly consensusEnd: bigint
  /** JSON text. */
  readonly body: string
}

interface Bounds {
  readonly lower: bigint
  readonly upper: bigint
  readonly excluded?: readonly bigint[]
}

const fields = ['epoch', 'number', 'consensusEnd', 'head', 'tail']

/**
 * The page that the request describes, in the order of the column that it filters first. Numbers and times of verified
 * blocks ascend together, so reading in the order of time finds the same page.
 */
export async function findBlocks(
  { filters, query }: Pick<QueryRequest<typeof listParameters>, 'filters' | 'query'>,
  context: QueryContext,
): Promise<FoundBlock[]> {
  const numbers = requireEqual(combineRange(filters['block.number']))
  const times = requireEqual(combineRange(filters.timestamp))
  if (numbers === undefined || times === undefined) return []
  const ends = { ...times, upper: min(times.upper, context.checkpoint.time) }
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, context.settings)
  if (filters.timestamp.length === 0) return findByNumber(ends, numbers, order, limit, context)
  const found = await findByTime(ends, numbers, order, limit, context)
  const first = query.find(({ name }) => name === 'timestamp' || name === 'block.number')
  return first?.name === 'timestamp' ? found : found.sort(byNumber(order))
}

function byNumber(order: Order): (a: FoundBlock, b: FoundBlock) => number {
  return (a, b) => (a.number < b.number === (order === 'asc') ? -1 : 1)
}

async function findByNumber(
  ends: Bounds,
  numbers: Bounds,
  order: Order,
  limit: number,
  context: QueryContext,
): Promise<FoundBlock[]> {
  const epochs = await readEpochs(context.reader)
  const found: FoundBlock[] = []
  for (const epoch of order === 'desc' ? epochs.toReversed() : epochs) {
    const rows = await context.reader.find({
      collection: 'blocks',
      index: ['epoch', 'number'],
      prefix: [epoch.epoch],
      lower: { value: max(numbers.lower - epoch.shift, 0n), inclusive: true },
      upper: { value: min(numbers.upper - epoch.shift, maxInt64), inclusive: true },
      descending: order === 'desc',
      limit: limit - found.length,
      select: fields,
    })
    found.push(...rows.map((row) => blockOf(row, epoch)).filter(({ consensusEnd }) => consensusEnd <= ends.upper))
    if (found.length >= limit) break
  }
  return found
}

/**
 * Reads by the time of the block's end, after the two bounds on the number were turned into times. What remains of the
 * number filter is checked on the row.
 */
async function findByTime(
  ends: Bounds,
  numbers: IntegerRange,
  order: Order,
  limit: number,
  context: QueryContext,
): Promise<FoundBlock[]> {
  const epochs = await readEpochs(context.reader)
  const edges = await endsOf(numbers, context)
  if (edges === undefined) return []
  const rows = await context.reader.find({
    collection: 'blocks',
    index: ['consensusEnd'],
    lower: { value: max(ends.lower, edges.lower), inclusive: true },
    upper: { value: min(ends.upper, edges.upper), inclusive: true },
    descending: order === 'desc',
    filters: (ends.excluded ?? []).map((value) => ({ field: 'consensusEnd', op: 'ne' as const, value })),
    limit,
    select: fields,
  })
  const blocks = rows.map((row) => blockOf(row, epochs[row['epoch'] as number]))
  return blocks.filter(({ number }) => number >= numbers.lower && number <= numbers.upper)
}

/** The ends between which blocks with these numbers lie; undefined when there are none. */
async function endsOf(numbers: IntegerRange, context: QueryContext): Promise<Bounds | undefined> {
  if (!numbers.hasLower && !numbers.hasUpper && numbers.equal.length === 0) return unbounded
  const [[lowest], [highest]] = await Promise.all([
    findByNumber(unbounded, numbers, 'asc', 1, context),
    findByNumber(unbounded, numbers, 'desc', 1, context),
  ])
  if (lowest === undefined || highest === undefined) return undefined
  return {
    lower: min(lowest.consensusEnd, highest.consensusEnd),
    upper: max(lowest.consensusEnd, highest.consensusEnd),
  }
}

const unbounded: Bounds = { lower: 0n, upper: maxInt64 }

/** The block with this true number. */
export async function findBlockByNumber(number: bigint, context: QueryContext): Promise<FoundBlock | undefined> {
  const range = { lower: number, upper: number }
  const [block] = await findByNumber({ ...unbounded, upper: context.checkpoint.time }, range, 'desc', 1, context)
  return block
}

/** The only block whose hash begins with these lower-case hex digits; none when several do. */
export async function findBlockByHash(digits: string, context: QueryContext): Promise<FoundBlock | undefined> {
  const [row, other] = await context.reader.find({
    collection: 'blocks',
    index: ['hash'],
    lower: { value: digits, inclusive: true },
    // `g` follows every hex digit.
    upper: { value: `${digits}g`, inclusive: false },
    limit: 2,
    select: fields,
  })
  if (row === undefined || other !== undefined || (row['consensusEnd'] as bigint) > context.checkpoint.time)
    return undefined
  const epochs = await readEpochs(context.reader)
  return blockOf(row, epochs[row['epoch'] as number])
}

function blockOf(row: Row, epoch: Epoch | undefined): FoundBlock {
  const number = (row['number'] as bigint) + (epoch?.shift ?? 0n)
  const body = `${row['head'] as string}${number}${row['tail'] as string}`
  return { number, consensusEnd: row['consensusEnd'] as bigint, body }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
