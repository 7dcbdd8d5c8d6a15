import type { BlockRecorded } from '#schemas/events/types.ts'
import { zeroHash } from '#src/importer/record/hash.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'

type Follower = Pick<BlockRecorded, 'number' | 'numberProvisional' | 'previousHash'>

/**
 * How many blocks are missing between two of the log; undefined where the second continues the first. The hash tells
 * whether any is missing, the numbers tell how many: at least one where one of them was only counted.
 */
export function missingBetween(
  last: Pick<LastBlock, 'number' | 'numberProvisional' | 'hash'> | undefined,
  { number, numberProvisional, previousHash }: Follower,
): bigint | undefined {
  if (last === undefined || last.hash.equals(zeroHash) || previousHash.equals(last.hash)) return undefined
  if (last.numberProvisional || numberProvisional) return 1n
  const between = number - last.number - 1n
  return between > 0n ? between : 0n
}
