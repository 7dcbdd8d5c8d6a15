import type { ListPage } from '#queries/common/list-route.ts'
import { bindTimeRange } from '#queries/transactions/bind-time-range.ts'
import { criteriaOf, type PageRequest } from '#queries/transactions/criteria.ts'
import { findTransactions, type ShownRow } from '#queries/transactions/find-transactions.ts'
import type { listParameters } from '#queries/transactions/params.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'

/** The page that the list's parameters describe, within the configured window where that is on. */
export async function findPage(
  request: PageRequest,
  context: TransactionContext,
): Promise<ListPage<ShownRow, typeof listParameters>> {
  const criteria = criteriaOf(request)
  const dependsOnClock = context.settings.bindTimestampRange
  if (criteria === undefined) return { rows: [], dependsOnClock }
  const { time, edge } = await bindTimeRange(criteria.time, criteria.order, context)
  const rows = await findTransactions({ ...criteria, time }, context)
  return { rows, edge: edge === undefined ? undefined : { timestamp: edge }, dependsOnClock }
}
