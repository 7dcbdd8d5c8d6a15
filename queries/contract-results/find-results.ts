import { contractResultsSchema, type ResultRow, resultTermKind } from '#projections/contract-results/schema.ts'
import { eachStep, firstOf, growing, inSteps, type Step } from '#queries/common/in-steps.ts'
import { listOf } from '#queries/common/lists/list-of.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import type { Order } from '#queries/common/parameters.ts'
import { after, includes, intersect, isEmpty, type Range, readOf, valuesOf } from '#queries/common/range.ts'
import type { ResultCriteria } from '#queries/contract-results/criteria.ts'
import { withExecutions } from '#queries/contract-results/executions.ts'
import { findSyntheticResults, type SyntheticResult } from '#queries/contract-results/find-synthetic-results.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { syntheticRow } from '#queries/contract-results/synthetic-row.ts'
import { wrongNonce } from '#src/events/success.ts'

export const resultFields = Object.keys(contractResultsSchema.collections.results.fields) as (keyof ResultRow)[]

/** Fields of a result that no list shows. */
const unlisted = ['stateChanges', 'hash', 'payer'] as const

export type ListedResult = Omit<ResultRow, (typeof unlisted)[number]>

const listedFields = resultFields.filter((field) => !isUnlisted(field))

function isUnlisted(field: keyof ResultRow): field is (typeof unlisted)[number] {
  return unlisted.some((each) => each === field)
}

const postings = listOf(contractResultsSchema, 'postings')

/** Rows read at once when those read before were not of the page: up to this many. */
const readOnRowsMax = 1_024

/** A page of results, those included that are made of logs. */
export async function findResults(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const { time, contract, hasSender } = criteria
  if (time.equal.length === 0 && contract === undefined && !hasSender) return findAll(criteria, context)
  const executed = await findExecuted(criteria, context)
  const made = await findSyntheticResults(inReachOf(executed, criteria), context)
  return merged(executed, made, criteria)
}

/** Both in the order of the page, no more than it has. */
function merged(
  executed: readonly ListedResult[],
  synthetic: readonly SyntheticResult[],
  { order, limit }: Pick<ResultCriteria, 'order' | 'limit'>,
): ListedResult[] {
  if (synthetic.length === 0) return executed.slice(0, limit)
  const sign = order === 'desc' ? -1 : 1
  const all = [...executed, ...synthetic].sort((a, b) => (a.time < b.time ? -sign : sign))
  return all.slice(0, limit).map((row) => ('log' in row ? syntheticRow(row.log) : row))
}

/** No further than a page goes that is full without them. */
function inReachOf(page: readonly ListedResult[], criteria: ResultCriteria): ResultCriteria {
  const last = page.length < criteria.limit ? undefined : page.at(-1)?.time
  if (last === undefined) return criteria
  const bound = criteria.order === 'desc' ? { lower: last } : { upper: last }
  return { ...criteria, time: { ...criteria.time, ...bound } }
}

/** What ran: by their times where these are given, by lists of contracts and senders, else over the time. */
function findExecuted(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  if (criteria.time.equal.length > 0) return findAtTimes(criteria, context)
  if (criteria.contract !== undefined || criteria.senders !== undefined) return findListed(criteria, context)
  return findInRange(criteria, context)
}

/**
 * Results of all contracts, a window of time after the other: what ran in it, as far as it was read, and what is made of logs. Half of a
 * page is read first, since about as many are made as ran; after that what is missing, or more where little passes.
 */
async function findAll(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const { order, limit } = criteria
  const page: ListedResult[] = []
  let rest: Range = criteria.time
  for (let rows = Math.ceil(limit / 2) + spareRows; !isEmpty(rest); ) {
    const read = await readResults(readOf(rest, order, rows), criteria, context)
    const last = read.length < rows ? undefined : read.at(-1)?.time
    const behind = last === undefined ? undefined : intersect(rest, after(rest, last, order))
    const window = behind === undefined ? rest : windowUpTo(last!, rest, order)
    const missing = limit - page.length
    const wanted = { ...criteria, time: { ...criteria.time, ...window }, limit: missing }
    const [executed, made] = await Promise.all([withExecutions(read, context), findSyntheticResults(wanted, context)])
    const found = merged(
      executed.filter((row) => passes(row, criteria)),
      made,
      { order, limit: missing },
    )
    page.push(...found)
    if (behind === undefined || page.length >= limit) break
    rest = behind
    rows = found.length < rows / 2 ? Math.min(rows * 4, readOnRowsMax) : limit - page.length + spareRows
    await context.pause()
  }
  return page
}

/** Beyond what a page needs: some do not pass. */
const spareRows = 3

function windowUpTo(last: bigint, range: Range, order: Order): Range {
  return order === 'desc' ? { lower: last, upper: range.upper } : { lower: range.lower, upper: last }
}

/** What failed before the EVM saw it has no index, and is on the list of its contract alone. */
function passes(row: ListedResult, criteria: ResultCriteria): boolean {
  const { contract, internal, indexes, matchesSender, time } = criteria
  return (
    row.result !== wrongNonce &&
    (contract === undefined ? row.transactionIndex !== null : row.contract === contract) &&
    (internal || row.nonce === 0) &&
    (indexes === undefined || (row.transactionIndex !== null && indexes.has(row.transactionIndex))) &&
    matchesSender(row.sender) &&
    includes(time, row.time)
  )
}

async function getResults(times: readonly bigint[], { rows }: ResultContext): Promise<ListedResult[]> {
  const keys = times.map((time) => [time] as const)
  const found = await rows['contract-results'].get('results', keys, listedFields)
  return found.filter((row) => row !== undefined)
}

async function findAtTimes(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const found = await withExecutions(await getResults(valuesOf(criteria.time, criteria.order) ?? [], context), context)
  return found.filter((row) => passes(row, criteria)).slice(0, criteria.limit)
}

/** Of one contract the places are told once the page is there, unless it is by them that it is found. */
async function findListed(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const { contract, indexes, limit } = criteria
  const isWanted = (row: ListedResult) => passes(row, criteria)
  const steps = listedResults(criteria, context)
  if (contract !== undefined && indexes === undefined)
    return withExecutions(await firstOf(steps, limit, isWanted), context)
  const executed = eachStep(steps, (read) => withExecutions(read, context))
  return firstOf(executed, limit, isWanted)
}

/** Results of the contract, of any of the senders, or of both. */
async function* listedResults(criteria: ResultCriteria, context: ResultContext): AsyncGenerator<ListedResult[]> {
  const { contract, senders, time, order, internal, limit } = criteria
  const ofContract: ListTerm[] = contract === undefined ? [] : [{ kind: resultTermKind.contract, term: contract }]
  const ofSenders: ListTerm[] = (senders ?? []).map((term) => ({ kind: resultTermKind.sender, term }))
  const search = {
    groups: [ofContract, ofSenders].filter(({ length }) => length > 0),
    lower: time.lower,
    upper: time.upper,
    descending: order === 'desc',
    sameBy: 'time',
    batch: limit,
    ...(!internal && { passes: (payload: number) => payload === 0 }),
  } as const
  for await (const batch of postings.intersect(context, search))
    yield await getResults(
      batch.map((entry) => entry.time),
      context,
    )
}

/** Reads on until the page is full: what a sender's comparison leaves out takes no place on it. */
function findInRange(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const { time, order, limit } = criteria
  const find = (step: Step) => readResults(step, criteria, context)
  const steps = inSteps({ ...time, order, limit, next: growing(readOnRowsMax) }, context.pause, find, (row) => row.time)
  const executed = eachStep(steps, (read) => withExecutions(read, context))
  return firstOf(executed, limit, (row) => passes(row, criteria))
}

function readResults(
  step: Step,
  { internal }: Pick<ResultCriteria, 'internal'>,
  { rows }: ResultContext,
): Promise<ListedResult[]> {
  return rows['contract-results'].find({
    ...step,
    collection: 'results',
    index: ['time'],
    filters: internal ? [] : [{ field: 'nonce', op: 'eq', value: 0 }],
    select: listedFields,
  })
}
