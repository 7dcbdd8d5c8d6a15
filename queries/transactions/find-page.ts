import type { Filters } from '#queries/common/parameters.ts'
import { bindTimeRange } from '#queries/transactions/bound-window.ts'
import { criteriaOf } from '#queries/transactions/criteria.ts'
import { findTransactions, type TransactionPage } from '#queries/transactions/find-transactions.ts'
import type { listParameters } from '#queries/transactions/params.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'

const emptyPage: TransactionPage = { times: [], bodies: [] }

export interface FoundPage {
  readonly page: TransactionPage
  /** Where the next page starts beyond; undefined when there is none. */
  readonly position: bigint | undefined
  readonly dependsOnClock: boolean
}

/** The page that the list's parameters describe, within the configured window where that is on. */
export async function findPage(
  filters: Filters<typeof listParameters>,
  context: TransactionContext,
): Promise<FoundPage> {
  const criteria = criteriaOf(filters, context.settings)
  const dependsOnClock = context.settings.bindTimestampRange
  if (criteria === undefined) return { page: emptyPage, position: undefined, dependsOnClock }
  const { time, edge } = await bindTimeRange(criteria.time, criteria.order, context)
  const page = await findTransactions({ ...criteria, time }, context)
  const full = page.times.length === criteria.limit
  return { page, position: full ? page.times.at(-1) : edge, dependsOnClock }
}
