import { logKind } from '#projections/contract-logs/schema.ts'
import { eachStep, firstOf, inSteps, type Step } from '#queries/common/in-steps.ts'
import { includes, type Range, valuesOf } from '#queries/common/range.ts'
import { findLogs } from '#queries/contract-logs/find-logs.ts'
import { type FoundLog, logFields } from '#queries/contract-logs/log-fields.ts'
import type { ResultCriteria } from '#queries/contract-results/criteria.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

/** A result that can be made of a log, and is once it is known to be on the page. */
export interface SyntheticResult {
  readonly time: bigint
  readonly log: FoundLog
}

/**
 * The results of a page that are made of logs, at most as many as the page has. As established clients see it, there are none
 * where a sender is asked for.
 */
export async function findSyntheticResults(
  criteria: ResultCriteria,
  context: ResultContext,
): Promise<readonly SyntheticResult[]> {
  if (criteria.hasSender || (await isNoToken(criteria.contract, context))) return []
  const { time, order, limit } = criteria
  const equal = valuesOf(time, order)
  if (equal !== undefined) return shownOf(await leadingAt(equal, context), criteria, context)
  const find = ({ lower, upper }: Step) =>
    findLogs(searchOf(criteria, { lower: lower.value, upper: upper.value }), context)
  const range = { ...time, order, limit, next: () => limit }
  const steps = inSteps(range, context.pause, find, ({ consensusTimestamp }) => consensusTimestamp)
  return firstOf(
    eachStep(steps, (logs) => shownOf(logs, criteria, context)),
    limit,
  )
}

/** Tokens alone have logs made for them; of what is known as something else nothing has to be looked for. */
async function isNoToken(contract: bigint | undefined, { rows }: ResultContext): Promise<boolean> {
  if (contract === undefined) return false
  const [entity] = await rows.entities.get('entities', [[contract]], ['type'])
  return entity?.type === 'CONTRACT' || entity?.type === 'ACCOUNT'
}

function searchOf({ contract, order, limit }: ResultCriteria, time: Range): Parameters<typeof findLogs>[0] {
  return {
    contractId: contract,
    transactionHash: undefined,
    topics: [],
    range: { lower: [time.lower, minInt64], upper: [time.upper, maxInt64] },
    kinds: 'leading',
    order,
    limit,
  }
}

async function shownOf(
  logs: readonly FoundLog[],
  criteria: ResultCriteria,
  context: ResultContext,
): Promise<readonly SyntheticResult[]> {
  const passing = logs.filter((log) => passes(log, criteria))
  const hasResult = await timesWithResult(passing, context)
  return passing
    .filter(({ consensusTimestamp: time }) => !hasResult.has(time))
    .map((log) => ({ time: log.consensusTimestamp, log }))
}

function passes({ consensusTimestamp, contractId, transactionIndex }: FoundLog, criteria: ResultCriteria): boolean {
  const { contract, indexes, time } = criteria
  return (
    transactionIndex !== null &&
    (contract === undefined || contract === contractId) &&
    (indexes === undefined || indexes.has(transactionIndex)) &&
    includes(time, consensusTimestamp)
  )
}

async function leadingAt(times: readonly bigint[], { rows }: ResultContext): Promise<FoundLog[]> {
  const found = await Promise.all(
    times.map((time) =>
      rows['contract-logs'].find({
        collection: 'logs',
        index: ['consensusTimestamp', 'index'],
        prefix: [time],
        filters: [{ field: 'kind', op: 'eq', value: logKind.leading }],
        limit: 1,
        select: logFields,
      }),
    ),
  )
  return found.flat()
}

/** Of stated logs it is not known whether their transaction has a result. */
async function timesWithResult(logs: readonly FoundLog[], { rows }: ResultContext): Promise<ReadonlySet<bigint>> {
  const stated = logs.filter(({ blockEnd }) => blockEnd === null).map(({ consensusTimestamp }) => consensusTimestamp)
  if (stated.length === 0) return new Set()
  const keys = stated.map((time) => [time] as const)
  const results = await rows['contract-results'].get('results', keys, ['time'])
  return new Set(results.flatMap((row) => row?.time ?? []))
}
