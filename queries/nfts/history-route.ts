import { nftsSchema } from '#projections/nfts/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { min } from '#queries/common/bigints.ts'
import { combineRange, requireEqual } from '#queries/common/integer-range.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type QueryRequest } from '#queries/common/route.ts'
import { timestampColumn } from '#queries/common/timestamp-parameter.ts'
import { nftTransactionListSchema } from '#queries/nfts/body-schema.ts'
import { findChanges, type HistoryContext, type HistoryQuery } from '#queries/nfts/find-history.ts'
import { historyParameters, nftPath } from '#queries/nfts/params.ts'
import { type ChangingTransaction, renderNftTransaction } from '#queries/nfts/render-transaction.ts'

export const nftTransactionsRoute = defineRoute({
  path: '/tokens/:tokenid/nfts/:serialnumber/transactions',
  pathParameters: nftPath,
  summary: 'List the transactions that changed an NFT',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: historyParameters,
  maxAge: 1,
  body: nftTransactionListSchema,
  statuses: { 206: 'As 200, where it is not known when the NFT was minted' },
  answers: [{ reads: { nfts: nftsSchema, transactions: transactionsSchema }, answer }],
})

async function answer(
  { params, path, query, filters }: QueryRequest<typeof historyParameters, typeof nftPath>,
  context: HistoryContext,
): Promise<Answer> {
  const { tokenid: token, serialnumber: serial } = params
  const range = requireEqual(combineRange(filters.timestamp))
  if (range === undefined) return { body: listBody('transactions', [], null) }
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, context.settings)
  const times = { lower: range.lower, upper: min(range.upper, context.checkpoint.time) }
  const page = { token, serial, times, order, limit }
  const found = await findTransactions(page, range.excluded, context)
  const last = found.length === limit ? found.at(-1) : undefined
  const columns = last ? [timestampColumn(last.consensusTimestamp)] : []
  const next = last ? nextLink({ path, query, order, columns }) : null
  const transactions = found.map((transaction) => renderNftTransaction(transaction, token, serial))
  const isPartial = found.length > 0 && !(await isMintKnown(page, context))
  return { body: listBody('transactions', transactions, next), next, ...(isPartial && { status: 206 }) }
}

/** Reads on where a change has no transaction, since it was stated, or one that is not wanted. */
async function findTransactions(
  query: HistoryQuery,
  excluded: readonly bigint[],
  context: HistoryContext,
): Promise<ChangingTransaction[]> {
  const { order, limit } = query
  const found: ChangingTransaction[] = []
  let { lower, upper } = query.times
  while (lower <= upper) {
    const changes = await findChanges({ ...query, times: { lower, upper }, limit: limit - found.length }, context)
    const distinct = [...new Set(changes)]
    const rows = await context.rows.transactions.get(
      'transactions',
      distinct.filter((time) => !excluded.includes(time)).map((time) => [time] as const),
      ['consensusTimestamp', 'type', 'nonce', 'payer', 'validStart', 'body'],
    )
    const shown = rows.filter((row) => row !== undefined)
    found.push(...shown)
    const last = changes.at(-1)
    if (last === undefined || shown.length === distinct.length) break
    if (order === 'asc') lower = last + 1n
    else upper = last - 1n
    await context.pause()
  }
  return found
}

async function isMintKnown({ token, serial }: HistoryQuery, { rows }: HistoryContext): Promise<boolean> {
  const [nft] = await rows.nfts.get('nfts', [[token, serial]], ['created'])
  return nft !== undefined && nft.created !== null
}
