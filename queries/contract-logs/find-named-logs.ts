import { compareTuples, type TupleRange } from '#queries/common/tuple-range.ts'
import type { LogCriteria } from '#queries/contract-logs/criteria.ts'
import { findLogs } from '#queries/contract-logs/find-logs.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'
import { findTimesOfHash } from '#queries/transactions/find-transaction.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

/** Hex digits of a whole hash on the ledger, of which logs have the first 32 bytes at most. */
const wholeHash = 96

/**
 * As findLogs, where a transaction may be named by its hash on the ledger as well: logs of an Ethereum transaction have that
 * one's own hash.
 */
export async function findNamedLogs(criteria: LogCriteria, context: LogContext): Promise<FoundLog[]> {
  const { transactionHash, range } = criteria
  const found = transactionHash?.length === wholeHash ? [] : await findLogs(criteria, context)
  if (found.length > 0 || transactionHash === undefined || range === undefined) return found
  // What was sent to several nodes has one hash, and logs where it ran.
  for (const time of await findTimesOfHash(Buffer.from(transactionHash, 'hex'), context)) {
    const logs = await findLogs({ ...criteria, transactionHash: undefined, range: at(time, range) }, context)
    if (logs.length > 0) return logs
  }
  return []
}

/** What of a range is at a time. */
function at(time: bigint, { lower, upper }: TupleRange): TupleRange {
  const first = [time, minInt64]
  const last = [time, maxInt64]
  return {
    lower: compareTuples(lower, first) < 0 ? first : lower,
    upper: compareTuples(upper, last) > 0 ? last : upper,
  }
}
