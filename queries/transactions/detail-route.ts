import { notFound } from '#queries/common/errors.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { Answer, QueryContext, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { detailedTransactionSchema } from '#queries/transactions/body-schema.ts'
import {
  findByHash,
  findById,
  isCreatedSchedule,
  isScheduled,
  longestSchedule,
  timeOf,
} from '#queries/transactions/find-transaction.ts'
import { tagOf } from '#queries/transactions/list-route.ts'
import { detailParameters } from '#queries/transactions/params.ts'
import { parseTransactionKey } from '#queries/transactions/transaction-key.ts'
import type { Row } from '#src/ports/read-store.ts'

/** Life time while the execution of a created schedule may still come. */
const pendingMaxAge = 5

export const transactionDetailRoute = defineRoute({
  path: '/transactions/:id',
  summary: 'Get the transactions with an id, or with a hash',
  tag: 'transactions',
  id: {
    name: 'transactionId',
    description: 'shard.realm.num-sss-nnn, or the 48-byte hash as 96 hex digits, base64 or base64url',
  },
  parameters: detailParameters,
  readModel: 'transactions',
  maxAge: 600,
  body: { type: 'object', properties: { transactions: { type: 'array', items: detailedTransactionSchema } } },
  answers: { 1: answerDetail },
})

async function answerDetail(
  { id, filters }: QueryRequest<typeof detailParameters>,
  context: QueryContext,
): Promise<Answer> {
  const key = parseTransactionKey(id)
  const filter = { nonce: lastValue(filters.nonce), scheduled: lastValue(filters.scheduled) }
  const rows =
    key.kind === 'id'
      ? await findById(key.payer, key.validStart, filter, context)
      : await findByHash(key.hash, filter, context)
  if (rows.length === 0) throw notFound()
  const answer = {
    body: `{"transactions":[${rows.map(bodyOf).join(',')}]}`,
    tag: tagOf({ times: rows.map(timeOf), bodies: [] }),
  }
  const pending = key.kind === 'id' && filter.scheduled === undefined && awaitsExecution(rows, context.now)
  return pending ? { ...answer, maxAge: pendingMaxAge, dependsOnClock: true } : answer
}

function bodyOf(row: Row): string {
  const body = row['body'] as string
  const fees = row['assessedCustomFees']
  return fees === null ? body : `${body.slice(0, -1)},"assessed_custom_fees":${fees as string}}`
}

/** Whether a schedule was created, has not run, and is young enough that it still may. */
function awaitsExecution(rows: readonly Row[], now: bigint): boolean {
  const created = rows.findLast(isCreatedSchedule)
  return created !== undefined && !rows.some(isScheduled) && now - timeOf(created) < longestSchedule
}
