import type { blocksSchema } from '#projections/blocks/schema.ts'
import type { Numbering } from '#queries/blocks/numbering.ts'
import { readNumberings } from '#queries/blocks/numbering.ts'
import type { listParameters } from '#queries/blocks/params.ts'
import type { BlockContext } from '#queries/blocks/reads.ts'
import { max, min } from '#queries/common/bigints.ts'
import { invalidParameter } from '#queries/common/errors.ts'
import { eachStep, firstOf, growing, inSteps, type Step, type SteppedRange } from '#queries/common/in-steps.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import type { Order } from '#queries/common/parameters.ts'
import { intersect, type Range, requireEqual, type Selection, selectionOf, without } from '#queries/common/range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import type { RowOf } from '#src/ports/read-store.ts'

const fields = [
  'epoch',
  'number',
  'consensusStart',
  'consensusEnd',
  'hash',
  'previousHash',
  'name',
  'count',
  'size',
  'gasUsed',
  'hapiVersion',
  'logsBloom',
] as const
type BlockRow = RowOf<typeof blocksSchema, 'blocks'>

/** With its true number. */
export type FoundBlock = Omit<BlockRow, 'epoch'>

/** Consensus ends, and those that are not wanted. */
type EndRange = Range & Pick<Selection, 'excluded'>

/** What a page holds. */
interface BlockPage {
  readonly numbers: Range
  readonly ends: EndRange
  readonly order: Order
  readonly limit: number
}

const query = { collection: 'blocks', select: fields } as const
const unbounded: EndRange = { lower: 0n, upper: maxInt64, excluded: [] }
/** Rows read at once when those read before were not of the page: up to this many. */
const readOnRowsMax = 1_024

/**
 * The page that the request describes, in the order of the column that it filters first. Numbers and times of verified
 * blocks ascend together, so reading in the order of time finds the same page.
 */
export async function findBlocks(
  { filters, query, order, limit }: Omit<ListRequest<typeof listParameters>, 'path'>,
  context: BlockContext,
): Promise<FoundBlock[]> {
  const numbers = requireEqual(selectionOf(filters['block.number'], minInt64))
  const times = requireEqual(selectionOf(filters.timestamp))
  if (numbers === undefined || times === undefined) return []
  const page: BlockPage = {
    numbers,
    ends: { ...times, upper: min(times.upper, context.checkpoint.time) },
    order,
    limit,
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
  const { blocks } = context.rows
  const numberings = await readNumberings(blocks)
  const found: FoundBlock[] = []
  for (const numbering of order === 'desc' ? numberings.toReversed() : numberings) {
    const { epoch, shift } = numbering
    const range = { lower: max(numbers.lower - shift, minInt64), upper: min(numbers.upper - shift, maxInt64) }
    const find = (step: Step) => blocks.find({ ...query, ...step, index: ['epoch', 'number'], prefix: [epoch] })
    const rows = inSteps(stepsOf(range, order, limit - found.length), context.pause, find, ({ number }) => number)
    const wanted = ({ consensusEnd }: FoundBlock) => consensusEnd <= ends.upper
    found.push(...(await firstOf(blocksOf(rows, numberings), limit - found.length, wanted)))
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
  const { blocks } = context.rows
  const filters = without('consensusEnd', ends)
  const find = (step: Step) => blocks.find({ ...query, ...step, index: ['consensusEnd'], filters })
  const range = stepsOf(intersect(ends, edges), order, limit)
  const rows = inSteps(range, context.pause, find, ({ consensusEnd }) => consensusEnd)
  const wanted = ({ number }: FoundBlock) => number >= numbers.lower && number <= numbers.upper
  return firstOf(blocksOf(rows, await readNumberings(blocks)), limit, wanted)
}

/**
 * Reads on until there are enough or the range ends: commits that land while a request runs bring rows that the request must
 * not see, and these take no place on its page.
 */
function stepsOf(range: Range, order: Order, limit: number): SteppedRange {
  return { ...range, order, limit, next: growing(readOnRowsMax) }
}

function blocksOf(
  steps: AsyncIterable<readonly BlockRow[]>,
  numberings: readonly Numbering[],
): AsyncGenerator<readonly FoundBlock[]> {
  return eachStep(steps, (rows) => rows.map((row) => blockOf(row, numberings[row.epoch])))
}

/** The ends between which blocks with these numbers lie; undefined when there are none. */
async function endsOf(numbers: Selection, context: BlockContext): Promise<EndRange | undefined> {
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

/** Numbers below 0 have not the form of one, but where files gave such; throws `invalid_parameter` elsewhere. */
export async function assertPossible(
  numbers: readonly bigint[],
  parameter: string,
  context: BlockContext,
): Promise<void> {
  if (numbers.some((number) => number < 0n) && !(await hasNegativeNumbers(context))) throw invalidParameter(parameter)
}

async function hasNegativeNumbers(context: BlockContext): Promise<boolean> {
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

function blockOf({ epoch: _epoch, ...row }: BlockRow, numbering: Numbering | undefined): FoundBlock {
  return { ...row, number: row.number + (numbering?.shift ?? 0n) }
}
