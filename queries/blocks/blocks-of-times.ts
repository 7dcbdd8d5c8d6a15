import type { blocksSchema } from '#projections/blocks/schema.ts'
import { readNumberings } from '#queries/blocks/numbering.ts'
import { min } from '#queries/common/bigints.ts'
import { readOf } from '#queries/common/range.ts'
import type { FieldName, RowOf, Rows } from '#src/ports/read-store.ts'

/** A block ends at most so much later than a transaction that is part of it, ns. */
const longestBlock = 10_000_000_000n

type BlockField = FieldName<typeof blocksSchema, 'blocks'>
type Block<F extends BlockField> = Pick<RowOf<typeof blocksSchema, 'blocks'>, F | 'epoch' | 'number' | 'consensusEnd'>

interface Wanted<F extends BlockField> {
  readonly times: Iterable<bigint>
  /** Blocks that end later are not looked at. */
  readonly until: bigint
  readonly select: readonly F[]
}

/**
 * The blocks that transactions of these times are in, by time, with their true numbers; none of a transaction that is in no block
 * yet. Times of a page are often close to each other, so the blocks between are one read; what that does not reach is looked up one
 * by one.
 */
export async function findBlocksOfTimes<F extends BlockField>(
  { times: given, until, select }: Wanted<F>,
  rows: Rows<typeof blocksSchema>,
): Promise<ReadonlyMap<bigint, Block<F>>> {
  const times = [...new Set(given)].sort((a, b) => (a < b ? -1 : 1))
  const last = times.at(-1)
  if (last === undefined) return new Map()
  const fields = ['epoch', 'number', 'consensusEnd', ...select] as const
  const read = (lower: bigint, upper: bigint, limit: number): Promise<Block<F>[]> =>
    rows.find({
      collection: 'blocks',
      index: ['consensusEnd'],
      ...readOf({ lower, upper }, 'asc', limit),
      select: fields,
    })
  const first = (time: bigint): Promise<Block<F>[]> => read(time, min(time + longestBlock, until), 1)
  const limit = 2 * times.length
  const before = times.length === 1 ? [] : read(times[0]!, min(last - 1n, until), limit)
  const [numberings, between, ofLast] = await Promise.all([readNumberings(rows), before, first(last)])
  const reach = between.length < limit ? last : between.at(-1)!.consensusEnd
  const beyond = await Promise.all(times.filter((time) => time > reach && time < last).map(first))
  const numbered = [...between, ...beyond.flat(), ...ofLast].map((block) => {
    return { ...block, number: block.number + (numberings[block.epoch]?.shift ?? 0n) }
  })
  return blocksByTime(times, numbered)
}

/** The first of the blocks that ends at each time or later; both ascend. */
function blocksByTime<B extends { readonly consensusEnd: bigint }>(
  times: readonly bigint[],
  blocks: readonly B[],
): Map<bigint, B> {
  const found = new Map<bigint, B>()
  let at = 0
  for (const time of times) {
    while (at < blocks.length && blocks[at]!.consensusEnd < time) at += 1
    const block = blocks[at]
    if (block !== undefined && block.consensusEnd - time <= longestBlock) found.set(time, block)
  }
  return found
}
