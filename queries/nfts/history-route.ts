import { nftsSchema } from '#projections/nfts/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { min } from '#queries/common/bigints.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { after, isEmpty, requireEqual, selectionOf } from '#queries/common/range.ts'
import { findChanges, type HistoryContext, type HistoryQuery } from '#queries/nfts/find-history.ts'
import { historyParameters, nftPath } from '#queries/nfts/params.ts'
import {
  type ChangingTransaction,
  changeFields,
  nftChange,
  nftTransactionObject,
} from '#queries/nfts/render-transaction.ts'

export const nftTransactionsRoute = defineListRoute({
  path: '/tokens/:tokenid/nfts/:serialnumber/transactions',
  pathParameters: nftPath,
  summary: 'List the transactions that changed an NFT',
  tag: 'tokens',
  checksFirst: 'path',
  parameters: historyParameters,
  maxAge: 1,
  item: nftTransactionObject.schema,
  statuses: { 206: 'As 200, where it is not known when the NFT was minted' },
  reads: { nfts: nftsSchema, transactions: transactionsSchema },
  list: 'transactions',
  find: async ({ params, filters, order, limit }, context) => {
    const { tokenid: token, serialnumber: serial } = params
    const range = requireEqual(selectionOf(filters.timestamp))
    if (range === undefined) return []
    const times = { lower: range.lower, upper: min(range.upper, context.checkpoint.time) }
    const page = { token, serial, times, order, limit }
    const rows = await findTransactions(page, range.excluded, context)
    const isPartial = rows.length > 0 && !(await isMintKnown(page, context))
    return { rows, ...(isPartial && { status: 206 }) }
  },
  render: (transaction, { params }) =>
    nftTransactionObject.render(nftChange(transaction, params.tokenid, params.serialnumber)),
  position: ({ consensusTimestamp }) => ({ timestamp: consensusTimestamp }),
})

/** Reads on where a change has no transaction, since it was stated, or one that is not wanted. */
async function findTransactions(
  query: HistoryQuery,
  excluded: readonly bigint[],
  context: HistoryContext,
): Promise<ChangingTransaction[]> {
  const { order, limit } = query
  const found: ChangingTransaction[] = []
  let { times } = query
  while (!isEmpty(times)) {
    const changes = await findChanges({ ...query, times, limit: limit - found.length }, context)
    const distinct = [...new Set(changes)]
    const rows = await context.rows.transactions.get(
      'transactions',
      distinct.filter((time) => !excluded.includes(time)).map((time) => [time] as const),
      changeFields,
    )
    const shown = rows.filter((row) => row !== undefined)
    found.push(...shown)
    const last = changes.at(-1)
    if (last === undefined || shown.length === distinct.length) break
    times = after(times, last, order)
    await context.pause()
  }
  return found
}

async function isMintKnown({ token, serial }: HistoryQuery, { rows }: HistoryContext): Promise<boolean> {
  const [nft] = await rows.nfts.get('nfts', [[token, serial]], ['created'])
  return nft !== undefined && nft.created !== null
}
