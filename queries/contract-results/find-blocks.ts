import { findBlocksOfTimes } from '#queries/blocks/blocks-of-times.ts'
import { findBlockByHash, findBlockByNumber } from '#queries/blocks/find-blocks.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'

/** What results show of their block. */
export interface ResultBlock {
  readonly number: bigint
  /** Hex without 0x. */
  readonly hash: string
  /** null: unknown. */
  readonly gasUsed: bigint | null
}

/** The blocks of results by time; a result that is in no block yet has none. */
export function findResultBlocks(
  times: readonly bigint[],
  { rows: { blocks }, checkpoint }: ResultContext,
): Promise<ReadonlyMap<bigint, ResultBlock>> {
  return findBlocksOfTimes({ times, until: checkpoint.time, select: ['hash', 'gasUsed'] }, blocks)
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
