import { unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import { contractTerm, hashTerm, topicTerm } from '#projections/contract-logs/packing/terms.ts'
import { contractLogsSchema, type LogRow, logKind } from '#projections/contract-logs/schema.ts'
import { listOf } from '#queries/common/lists/list-of.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import type { ListEntry } from '#queries/common/lists/list-search.ts'
import { compareTuples, isWithin, type Tuple, type TupleRange } from '#queries/common/tuple-range.ts'
import type { LogCriteria } from '#queries/contract-logs/criteria.ts'
import { findInOrder } from '#queries/contract-logs/find-in-order.ts'
import { type FoundLog, logFields } from '#queries/contract-logs/log-fields.ts'
import type { LogContext } from '#queries/contract-logs/reads.ts'

const logTerms = listOf(contractLogsSchema, 'logTerms')

/**
 * How much later than the time that a log is shown with the record may be that gave rise to it (ns): parts of a call follow it a
 * nanosecond after the other, and the next transaction is at least a thousand behind.
 */
const latest = 1_000_000n

type BoundCriteria = LogCriteria & { readonly range: TupleRange }

/** The page of logs that meet the criteria. */
export async function findLogs(criteria: LogCriteria, context: LogContext): Promise<FoundLog[]> {
  const { range, limit, order } = criteria
  if (range === undefined || compareTuples(range.lower, range.upper) > 0) return []
  const groups = termsOf(criteria)
  if (groups.length === 0) return findInOrder({ range, kinds: criteria.kinds, order, limit }, context)
  const search = {
    lower: timeOf(range.lower),
    upper: timeOf(range.upper) + latest,
    descending: order === 'desc',
    sameBy: 'entry',
    // One more than the page: whether what comes next could still be part of it.
    batch: limit + 1,
  } as const
  const asked = { ...criteria, range }
  const first = firstTermOf(criteria)
  const ofContract =
    first &&
    (await collectPage(logTerms.merge(context, { ...search, terms: [first] }), asked, context, triedPages * limit))
  return ofContract ?? (await collectPage(logTerms.intersect(context, { ...search, groups }), asked, context)) ?? []
}

/** The page that entries of lists lead to; undefined where it is not whole once so many of them were looked at. */
async function collectPage(
  entriesFound: AsyncIterable<readonly ListEntry[]>,
  criteria: BoundCriteria,
  context: LogContext,
  entriesMax = Number.POSITIVE_INFINITY,
): Promise<FoundLog[] | undefined> {
  const { limit, order } = criteria
  const page = new LogPage(limit, order === 'desc')
  let count = 0
  for await (const batch of entriesFound) {
    for (let start = 0; start < batch.length; start += limit) {
      const entries = batch.slice(start, start + limit)
      if (page.isComplete(entries[0]!)) return page.logs
      if (count >= entriesMax) return undefined
      count += entries.length
      const keys = entries.map(({ time, payload }) => [time, payload] as const)
      const found = await context.rows['contract-logs'].get('logs', keys, logFields)
      page.add(found.filter((log) => log !== undefined).filter((log) => meets(log, criteria)))
    }
    await context.pause()
  }
  return page.logs
}

/** Pages of a contract's logs that are looked at before its list is compared with those of the topics. */
const triedPages = 2

/**
 * The contract, where what else is asked for is the kind of log: most of a contract's logs are of few kinds, so looking at them
 * costs less than the list of a kind, which is the longest of all.
 */
function firstTermOf({ contractId, transactionHash, topics: [kind = [], ...others] }: LogCriteria) {
  if (contractId === undefined || transactionHash !== undefined || kind.length === 0) return undefined
  return others.every(({ length }) => length === 0) ? contractTerm(contractId) : undefined
}

function termsOf({ contractId, transactionHash, topics }: LogCriteria): ListTerm[][] {
  const groups: ListTerm[][] = []
  if (contractId !== undefined) groups.push([contractTerm(contractId)])
  if (transactionHash !== undefined) groups.push([hashTerm(transactionHash)])
  for (const position of [0, 1, 2, 3] as const) {
    const terms = new Map(
      (topics[position] ?? []).map((topic) => topicTerm(position, topic)).map((each) => [each.term, each]),
    )
    if (terms.size > 0) groups.push([...terms.values()])
  }
  return groups
}

/** Terms may stand for several topics, and times of lists are those of the records. */
function meets(log: FoundLog, criteria: BoundCriteria): boolean {
  const { contractId, transactionHash, topics, range, kinds } = criteria
  if (contractId !== undefined && log.contractId !== contractId) return false
  if (!isWithin(placeOf(log), range) || !isOfKind(log, kinds)) return false
  const own = unpackDigits(log.digits)
  if (transactionHash !== undefined && own.transactionHash !== transactionHash) return false
  return topics.every((asked, position) => {
    const topic = own.topics[position]
    return asked.length === 0 || (topic != null && asked.includes(topic))
  })
}

function isOfKind({ kind }: FoundLog, kinds: LogCriteria['kinds']): boolean {
  return kinds === 'leading' ? kind === logKind.leading : kinds === 'all' || kind !== logKind.ofAll
}

/** The first logs in the order of their times and numbers, from entries in the order of their records. */
class LogPage {
  readonly #limit: number
  readonly #descending: boolean
  #found: FoundLog[] = []

  constructor(limit: number, descending: boolean) {
    this.#limit = limit
    this.#descending = descending
  }

  get logs(): FoundLog[] {
    return this.#found
  }

  add(logs: readonly FoundLog[]): void {
    const sign = this.#descending ? -1 : 1
    const sorted = [...this.#found, ...logs].sort((a, b) => sign * compareTuples(placeOf(a), placeOf(b)))
    this.#found = sorted.slice(0, this.#limit)
  }

  /** Whether what a next entry leads to, and all behind it, would stand behind the page. */
  isComplete({ time }: ListEntry): boolean {
    const last = this.#found[this.#limit - 1]
    if (last === undefined) return false
    return this.#descending ? time < last.consensusTimestamp : time > last.consensusTimestamp + latest
  }
}

function placeOf({ consensusTimestamp, index }: Pick<LogRow, 'consensusTimestamp' | 'index'>): Tuple {
  return [consensusTimestamp, BigInt(index)]
}

function timeOf([time = 0n]: Tuple): bigint {
  return time
}
