import { findBlocksOfTimes } from '#queries/blocks/blocks-of-times.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** What an answer shows of a log's block. */
export interface LogBlock {
  readonly number: bigint
  /** Hex without 0x. */
  readonly hash: string
}

/** The blocks of logs, by the time that a log's row knows its block by. */
export async function findBlocksOf(
  logs: readonly FoundLog[],
  { rows: { blocks } }: LogContext,
): Promise<(log: FoundLog) => LogBlock | undefined> {
  const found = await findBlocksOfTimes({ times: logs.map(timeOf), until: maxInt64, select: ['hash'] }, blocks)
  return (log) => found.get(timeOf(log))
}

function timeOf({ blockEnd, consensusTimestamp }: FoundLog): bigint {
  return blockEnd ?? consensusTimestamp
}
