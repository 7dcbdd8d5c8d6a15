import { findBlocksOfTimes } from '#queries/blocks/blocks-of-times.ts'
import { findBlockByHash, findBlockByNumber } from '#queries/blocks/find-blocks.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'

/** What results show of their block. */
export interface ResultBlock {
  readonly number: bigint
  /** Hex without 0x. */
  readonly hash: string
  /** Digits, or null where it is unknown. */
  readonly gasUsed: string
}

/** The blocks of results by time; a result that is in no block yet has none. */
export async function findResultBlocks(
  times: readonly bigint[],
  { rows: { blocks }, checkpoint }: ResultContext,
): Promise<ReadonlyMap<bigint, ResultBlock>> {
  const found = await findBlocksOfTimes({ times, until: checkpoint.time, select: ['hash', 'head'] }, blocks)
  const shown = new Map([...new Set(found.values())].map((block) => [block, { ...block, gasUsed: gasUsedIn(block) }]))
  return new Map([...found].map(([time, block]) => [time, shown.get(block)!]))
}

/** From the JSON text of the block, as the blocks read model keeps it. */
function gasUsedIn({ head }: { readonly head: string }): string {
  return /"gas_used":(\d+)/.exec(head)?.[1] ?? 'null'
}

/** Consensus times of the first and last transaction of a block, ns. */
export interface BlockTimes {
  readonly start: bigint
  readonly end: bigint
}

/** The block that a request names by number or by the first digits of its hash. */
export async function findNamedBlock(
  { hash, number }: { readonly hash: string | undefined; readonly number: bigint | undefined },
  context: ResultContext,
): Promise<BlockTimes | undefined> {
  const found =
    number === undefined ? await findBlockByHash(hash ?? '', context) : await findBlockByNumber(number, context)
  if (found === undefined) return undefined
  return { start: found.consensusStart, end: found.consensusEnd }
}
