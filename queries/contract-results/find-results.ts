import { contractResultsSchema, type ResultRow, resultTermKind } from '#projections/contract-results/schema.ts'
import { listContext, listOf } from '#queries/common/lists/list-of.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import { intersectLists } from '#queries/common/lists/list-search.ts'
import { sorted } from '#queries/common/selection.ts'
import type { ResultCriteria } from '#queries/contract-results/criteria.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'

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
const readOnGrowth = 4

/** A page of results: by their times where these are given, by lists of contracts and senders, else over the time. */
export async function findResults(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  if (criteria.time.equal.length > 0) return findAtTimes(criteria, context)
  if (criteria.contract !== undefined || criteria.senders !== undefined) return findListed(criteria, context)
  return findInRange(criteria, context)
}

function passes(row: ListedResult, criteria: ResultCriteria): boolean {
  const { contract, internal, indexes, matchesSender, time } = criteria
  return (
    (contract === undefined || row.contract === contract) &&
    (internal || row.nonce === 0) &&
    (indexes === undefined || (row.transactionIndex !== null && indexes.has(row.transactionIndex))) &&
    matchesSender(row.sender) &&
    row.time >= time.lower &&
    row.time <= time.upper &&
    !time.excluded.includes(row.time)
  )
}

async function getResults(times: readonly bigint[], { rows }: ResultContext): Promise<ListedResult[]> {
  const keys = times.map((time) => [time] as const)
  const found = await rows['contract-results'].get('results', keys, listedFields)
  return found.filter((row) => row !== undefined)
}

async function findAtTimes(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const found = await getResults(sorted(criteria.time.equal, criteria.order), context)
  return found.filter((row) => passes(row, criteria)).slice(0, criteria.limit)
}

async function findListed(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const found: ListedResult[] = []
  for await (const times of listedTimes(criteria, context)) {
    found.push(...(await getResults(times, context)).filter((row) => passes(row, criteria)))
    if (found.length >= criteria.limit) break
  }
  return found.slice(0, criteria.limit)
}

/** Times of results of the contract, of any of the senders, or of both. */
async function* listedTimes(criteria: ResultCriteria, context: ResultContext): AsyncGenerator<bigint[]> {
  const { contract, senders, time, order, internal, limit } = criteria
  const ofContract: ListTerm[] = contract === undefined ? [] : [{ kind: resultTermKind.contract, term: contract }]
  const ofSenders: ListTerm[] = (senders ?? []).map((term) => ({ kind: resultTermKind.sender, term }))
  const search = {
    list: postings,
    groups: [ofContract, ofSenders].filter(({ length }) => length > 0),
    lower: time.lower,
    upper: time.upper,
    descending: order === 'desc',
    sameBy: 'time',
    batch: limit,
    ...(!internal && { passes: (payload: number) => payload === 0 }),
  } as const
  for await (const batch of intersectLists(listContext(context, postings), search))
    yield batch.map((entry) => entry.time)
}

/** Reads on until the page is full: what a sender's comparison leaves out takes no place on it. */
async function findInRange(criteria: ResultCriteria, context: ResultContext): Promise<ListedResult[]> {
  const { time, internal, order, limit } = criteria
  const found: ListedResult[] = []
  let { lower, upper } = time
  for (let size = limit; lower <= upper; size = Math.min(size * readOnGrowth, readOnRowsMax)) {
    const rows = await context.rows['contract-results'].find({
      collection: 'results',
      index: ['time'],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      filters: internal ? [] : [{ field: 'nonce', op: 'eq', value: 0 }],
      descending: order === 'desc',
      limit: size,
      select: listedFields,
    })
    found.push(...rows.filter((row) => passes(row, criteria)))
    const last = rows.at(-1)
    if (found.length >= limit || last === undefined || rows.length < size) break
    if (order === 'desc') upper = last.time - 1n
    else lower = last.time + 1n
    await context.pause()
  }
  return found.slice(0, limit)
}
