import type { blocksSchema } from '#projections/blocks/schema.ts'
import type { Numbering } from '#queries/blocks/numbering.ts'
import { readNumberings } from '#queries/blocks/numbering.ts'
import type { listParameters } from '#queries/blocks/params.ts'
import type { BlockContext } from '#queries/blocks/reads.ts'
import { max, min } from '#queries/common/bigints.ts'
import type { IntegerRange } from '#queries/common/integer-range.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import type { Order } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { QueryRequest } from '#queries/common/route.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import type { AnyQuery, RowOf } from '#src/ports/read-store.ts'

export interface FoundBlock {
  /** True number. */
  readonly number: bigint
  readonly consensusEnd: bigint
  /** JSON text. */
  readonly body: string
}

/** Inclusive bounds of consensus ends, and ends that are not wanted. */
interface EndRange {
  readonly lower: bigint
  readonly upper: bigint
  readonly excluded: readonly bigint[]
}

/** What a page holds. */
interface BlockPage {
  readonly numbers: Pick<IntegerRange, 'lower' | 'upper'>
  readonly ends: EndRange
  readonly order: Order
  readonly limit: number
}

const fields = ['epoch', 'number', 'consensusEnd', 'head', 'tail'] as const
type BlockField = (typeof fields)[number]
type Query = AnyQuery<typeof blocksSchema, 'blocks', BlockField>
type BlockRow = Pick<RowOf<typeof blocksSchema, 'blocks'>, BlockField>
const unbounded: EndRange = { lower: 0n, upper: maxInt64, excluded: [] }
/** Rows read at once when those read before were not of the page: up to this many. */
const readOnRowsMax = 1_024
const readOnGrowth = 4

/**
 * The page that the request describes, in the order of the column that it filters first. Numbers and times of verified
 * blocks ascend together, so reading in the order of time finds the same page.
 */
export async function findBlocks(
  { filters, query }: Pick<QueryRequest<typeof listParameters>, 'filters' | 'query'>,
  context: BlockContext,
): Promise<FoundBlock[]> {
  const numbers = requireEqual(combineRange(filters['block.number'], minInt64))
  const times = requireEqual(combineRange(filters.timestamp))
  if (numbers === undefined || times === undefined) return []
  const page: BlockPage = {
    numbers,
    ends: { ...times, upper: min(times.upper, context.checkpoint.time) },
    order: lastValue(filters.order) ?? 'desc',
    limit: pageSize(filters.limit, context.settings),
  }
  if (filters.timestamp.length === 0) return findByNumber(page, context)
  const edges = await endsOf(numbers, context)
  if (edges === undefined) return []
  const found = await findByTime(page, edges, context)
  const first = query.find(({ name }) => name === 'timestamp' || name === 'block.number')
  return first?.name === 'timestamp' ? found : found.sort(byNumber(page.order))
}

function byNumber(order: Order): (a: FoundBlock, b: FoundBlock) => number {
  return (a, b) => (a.number < b.number === (order === 'asc') ? -1 : 1)
}

async function findByNumber(page: BlockPage, context: BlockContext): Promise<FoundBlock[]> {
  const { numbers, ends, order, limit } = page
  const numberings = await readNumberings(context.rows.blocks)
  const found: FoundBlock[] = []
  for (const numbering of order === 'desc' ? numberings.toReversed() : numberings) {
    const range: BlockRange = {
      index: ['epoch', 'number'],
      prefix: [numbering.epoch],
      lower: max(numbers.lower - numbering.shift, minInt64),
      upper: min(numbers.upper - numbering.shift, maxInt64),
      order,
    }
    const test = ({ consensusEnd }: FoundBlock) => consensusEnd <= ends.upper
    found.push(...(await readBlocks(range, numberings, test, limit - found.length, context)))
    if (found.length >= limit) break
  }
  return found
}

/**
 * Reads by the time of the block's end, between the ends that the bounds on the number were turned into. What remains of
 * the number filter is checked on the row.
 */
async function findByTime(page: BlockPage, edges: EndRange, context: BlockContext): Promise<FoundBlock[]> {
  const { numbers, ends, order, limit } = page
  const range: BlockRange = {
    index: ['consensusEnd'],
    lower: max(ends.lower, edges.lower),
    upper: min(ends.upper, edges.upper),
    order,
    filters: ends.excluded.map((value) => ({ field: 'consensusEnd' as const, op: 'ne' as const, value })),
  }
  const test = ({ number }: FoundBlock) => number >= numbers.lower && number <= numbers.upper
  return readBlocks(range, await readNumberings(context.rows.blocks), test, limit, context)
}

/** A range of stored blocks; its bounds are those of the last column of the index, inclusive. */
type BlockRange = (
  | { readonly index: readonly ['epoch', 'number']; readonly prefix: readonly [number] }
  | { readonly index: readonly ['consensusEnd']; readonly filters: NonNullable<Query['filters']> }
) & {
  readonly lower: bigint
  readonly upper: bigint
  readonly order: Order
}

/**
 * The first `limit` blocks of a range that pass a test. Reads on until there are as many or the range ends: commits that
 * land while a request runs bring rows that the request must not see, and these take no place on its page.
 */
async function readBlocks(
  range: BlockRange,
  numberings: readonly Numbering[],
  test: (block: FoundBlock) => boolean,
  limit: number,
  context: BlockContext,
): Promise<FoundBlock[]> {
  const { order } = range
  let { lower, upper } = range
  const column = 'filters' in range ? 'consensusEnd' : 'number'
  const descending = order === 'desc'
  const found: FoundBlock[] = []
  for (let size = limit; lower <= upper; size = Math.min(size * readOnGrowth, readOnRowsMax)) {
    const bounds = { lower: { value: lower, inclusive: true }, upper: { value: upper, inclusive: true } }
    const page = { ...bounds, collection: 'blocks', descending, limit: size, select: fields } as const
    const { blocks } = context.rows
    const rows = await ('filters' in range
      ? blocks.find({ ...page, index: range.index, filters: range.filters })
      : blocks.find({ ...page, index: range.index, prefix: range.prefix }))
    found.push(...rows.map((row) => blockOf(row, numberings[row.epoch])).filter(test))
    const last = rows.at(-1)
    if (found.length >= limit || last === undefined || rows.length < size) break
    if (descending) upper = last[column] - 1n
    else lower = last[column] + 1n
    await context.pause()
  }
  return found.slice(0, limit)
}

/** The ends between which blocks with these numbers lie; undefined when there are none. */
async function endsOf(numbers: IntegerRange, context: BlockContext): Promise<EndRange | undefined> {
  if (!numbers.hasLower && !numbers.hasUpper && numbers.equal.length === 0) return unbounded
  const page = { numbers, ends: unbounded, limit: 1 }
  const [[lowest], [highest]] = await Promise.all([
    findByNumber({ ...page, order: 'asc' }, context),
    findByNumber({ ...page, order: 'desc' }, context),
  ])
  if (lowest === undefined || highest === undefined) return undefined
  return {
    lower: min(lowest.consensusEnd, highest.consensusEnd),
    upper: max(lowest.consensusEnd, highest.consensusEnd),
    excluded: [],
  }
}

/** The block with this true number. */
export async function findBlockByNumber(number: bigint, context: BlockContext): Promise<FoundBlock | undefined> {
  const numbers = { lower: number, upper: number }
  const ends = { ...unbounded, upper: context.checkpoint.time }
  const [block] = await findByNumber({ numbers, ends, order: 'desc', limit: 1 }, context)
  return block
}

/** Whether files gave numbers below 0, as those of some test networks do; else nobody can mean such a number. */
export async function hasNegativeNumbers(context: BlockContext): Promise<boolean> {
  const numbers = { lower: minInt64, upper: -1n }
  const found = await findByNumber({ numbers, ends: unbounded, order: 'asc', limit: 1 }, context)
  return found.length > 0
}

/** The only block whose hash begins with these lower-case hex digits; none when several do. */
export async function findBlockByHash(digits: string, context: BlockContext): Promise<FoundBlock | undefined> {
  const [row, other] = await context.rows.blocks.find({
    collection: 'blocks',
    index: ['hash'],
    lower: { value: digits, inclusive: true },
    // `g` follows every hex digit.
    upper: { value: `${digits}g`, inclusive: false },
    limit: 2,
    select: fields,
  })
  if (row === undefined || other !== undefined || row.consensusEnd > context.checkpoint.time) return undefined
  const numberings = await readNumberings(context.rows.blocks)
  return blockOf(row, numberings[row.epoch])
}

function blockOf({ number: stored, consensusEnd, head, tail }: BlockRow, numbering: Numbering | undefined): FoundBlock {
  const number = stored + (numbering?.shift ?? 0n)
  return { number, consensusEnd, body: `${head}${number}${tail}` }
}
