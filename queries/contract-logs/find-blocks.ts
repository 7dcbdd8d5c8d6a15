import { readNumberings } from '#queries/blocks/numbering.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'

/** What an answer shows of a log's block. */
export interface LogBlock {
  readonly number: bigint
  /** Hex without 0x. */
  readonly hash: string
}

/** A block ends at most so much later than a transaction that is part of it. */
const longestBlock = 10n * nanosPerSecond

/** The blocks of logs, each looked up once, by the time that a log's row knows it by. */
export async function findBlocksOf(
  logs: readonly FoundLog[],
  { rows: { blocks } }: LogContext,
): Promise<(log: FoundLog) => LogBlock | undefined> {
  const times = new Set(logs.map(timeOf))
  if (times.size === 0) return () => undefined
  const numberings = await readNumberings(blocks)
  const found = new Map<bigint, LogBlock>()
  const look = async (time: bigint) => {
    const [row] = await blocks.find({
      collection: 'blocks',
      index: ['consensusEnd'],
      lower: { value: time, inclusive: true },
      upper: { value: time + longestBlock, inclusive: true },
      limit: 1,
      select: ['epoch', 'number', 'hash'],
    })
    if (row) found.set(time, { number: row.number + (numberings[row.epoch]?.shift ?? 0n), hash: row.hash })
  }
  await Promise.all([...times].map(look))
  return (log) => found.get(timeOf(log))
}

function timeOf({ blockEnd, consensusTimestamp }: FoundLog): bigint {
  return blockEnd ?? consensusTimestamp
}
