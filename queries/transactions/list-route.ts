import { defineListRoute } from '#queries/common/list-route.ts'
import { transactionSchema } from '#queries/transactions/body-schema.ts'
import { findPage } from '#queries/transactions/find-page.ts'
import type { ShownRow } from '#queries/transactions/find-transactions.ts'
import { listParameters } from '#queries/transactions/params.ts'
import { transactionReads } from '#queries/transactions/reads.ts'

export const transactionListRoute = defineListRoute({
  path: '/transactions',
  summary: 'List transactions, the newest first',
  tag: 'transactions',
  parameters: listParameters,
  maxAge: 2,
  item: transactionSchema,
  reads: transactionReads,
  list: 'transactions',
  find: findPage,
  render: ({ body }) => body,
  position: ({ consensusTimestamp }) => ({ timestamp: consensusTimestamp }),
  entityTag: (rows, next) => tagOf(rows, next?.timestamp),
})

/**
 * Rows never change within one build of the read model, and none appears between others, so a page of one address is
 * told by its ends, its length and where the next one starts.
 */
export function tagOf(rows: readonly Pick<ShownRow, 'consensusTimestamp'>[], next?: bigint): string {
  const [first, last] = [rows[0], rows.at(-1)].map((row) => row?.consensusTimestamp.toString(36) ?? '')
  return `t${rows.length}-${first}-${last}-${next?.toString(36) ?? ''}`
}
