import { contractResultsSchema, type ResultRow } from '#projections/contract-results/schema.ts'
import { listOf } from '#queries/common/lists/list-of.ts'
import { withExecutions } from '#queries/contract-results/executions.ts'
import { resultFields } from '#queries/contract-results/find-results.ts'
import type { ResultKey } from '#queries/contract-results/params.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'

/** Results by the first 8 bytes of their hash. */
const hashes = listOf(contractResultsSchema, 'hashes')

/** Most transactions of one id. */
const transactionsPerIdMax = 10_000

/** The result that a path names; undefined when there is none. Of several a successful one counts, else the newest. */
export async function findResult(
  key: ResultKey,
  nonce: number,
  context: ResultContext,
): Promise<ResultRow | undefined> {
  const times = key.kind === 'hash' ? await timesOfHash(key.hash, context) : await findTimesOfId(key, nonce, context)
  const rows = await getResultsAt(times, context)
  return chosen(key.kind === 'hash' ? rows.filter(({ hash }) => hash !== null && key.hash.equals(hash)) : rows)
}

export async function getResultsAt(times: readonly bigint[], context: ResultContext): Promise<ResultRow[]> {
  const keys = times.map((time) => [time] as const)
  const found = await context.rows['contract-results'].get('results', keys, resultFields)
  return withExecutions(
    found.filter((row) => row !== undefined),
    context,
  )
}

async function timesOfHash(hash: Buffer, context: ResultContext): Promise<bigint[]> {
  const entries = await hashes.entries(context, { kind: 0, term: hash.readBigInt64BE(0) })
  return entries.map(({ time }) => time)
}

/** Consensus times of the transactions with an id. */
export async function findTimesOfId(
  { payer, validStart }: Extract<ResultKey, { readonly kind: 'id' }>,
  nonce: number,
  { rows }: ResultContext,
): Promise<bigint[]> {
  const found = await rows.transactions.find({
    collection: 'transactions',
    index: ['validStart', 'payer'],
    prefix: [validStart, payer],
    filters: [{ field: 'nonce', op: 'eq', value: nonce }],
    limit: transactionsPerIdMax,
    select: ['consensusTimestamp'],
  })
  return found.map(({ consensusTimestamp }) => consensusTimestamp)
}

function chosen(rows: readonly ResultRow[]): ResultRow | undefined {
  // What the network made itself for a transaction may have its hash.
  const own = rows.filter(({ nonce }) => nonce === 0)
  const newestFirst = (own.length > 0 ? own : rows).toSorted((a, b) => (a.time > b.time ? -1 : 1))
  return newestFirst.find(({ result }) => isSuccessCode(result)) ?? newestFirst[0]
}
