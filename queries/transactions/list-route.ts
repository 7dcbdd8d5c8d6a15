import { nextLink } from '#queries/common/links.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { Answer, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { timestampColumn } from '#queries/common/timestamp-parameter.ts'
import { transactionListSchema } from '#queries/transactions/body-schema.ts'
import { findPage } from '#queries/transactions/find-page.ts'
import type { TransactionPage } from '#queries/transactions/find-transactions.ts'
import { listParameters } from '#queries/transactions/params.ts'
import { type TransactionContext, transactionReads } from '#queries/transactions/reads.ts'

type ListRequest = QueryRequest<typeof listParameters>

export const transactionListRoute = defineRoute({
  path: '/transactions',
  summary: 'List transactions, the newest first',
  tag: 'transactions',
  parameters: listParameters,
  maxAge: 2,
  body: transactionListSchema,
  answers: [{ reads: transactionReads, answer: answerList }],
})

async function answerList(request: ListRequest, context: TransactionContext): Promise<Answer> {
  const { page, position, dependsOnClock } = await findPage(request.filters, context)
  const next = position === undefined ? null : linkFrom(request, position)
  const links = next === null ? 'null' : JSON.stringify(next)
  return {
    body: `{"transactions":[${page.bodies.join(',')}],"links":{"next":${links}}}`,
    tag: tagOf(page, next === null ? undefined : position),
    next,
    dependsOnClock,
  }
}

function linkFrom({ path, query, filters }: ListRequest, position: bigint): string | null {
  return nextLink({ path, query, order: lastValue(filters.order) ?? 'desc', columns: [timestampColumn(position)] })
}

/**
 * Rows never change within one build of the read model, and none appears between others, so a page of one address is
 * told by its ends, its length and where the next one starts.
 */
export function tagOf({ times }: TransactionPage, position?: bigint): string {
  const first = times[0]?.toString(36) ?? ''
  const last = times.at(-1)?.toString(36) ?? ''
  return `t${times.length}-${first}-${last}-${position?.toString(36) ?? ''}`
}
