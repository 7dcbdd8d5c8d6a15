import { notFound } from '#queries/common/errors.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { defineRoute } from '#queries/common/route.ts'
import { transactionDetailSchema } from '#queries/transactions/body-schema.ts'
import {
  findByHash,
  findById,
  isCreatedSchedule,
  isScheduled,
  longestSchedule,
  type TransactionRow,
  timeOf,
} from '#queries/transactions/find-transaction.ts'
import { tagOf } from '#queries/transactions/list-route.ts'
import { detailParameters } from '#queries/transactions/params.ts'
import { transactionReads } from '#queries/transactions/reads.ts'
import { parseTransactionKey, type TransactionKey } from '#queries/transactions/transaction-key.ts'

/** Life time while the execution of a created schedule may still come. */
const pendingMaxAge = 5

const pathParameters = {
  transactionId: {
    description: 'shard.realm.num-sss-nnn, or the 48-byte hash as 96 hex digits, base64 or base64url',
    schema: { type: 'string' },
    parse: parseTransactionKey,
  } satisfies PathParameter<TransactionKey>,
}

export const transactionDetailRoute = defineRoute({
  path: '/transactions/:transactionId',
  pathParameters,
  summary: 'Get the transactions with an id, or with a hash',
  tag: 'transactions',
  parameters: detailParameters,
  maxAge: 600,
  body: transactionDetailSchema,
  reads: transactionReads,
  answer: async ({ params, filters }, context) => {
    const key = params.transactionId
    const filter = { nonce: lastValue(filters.nonce), scheduled: lastValue(filters.scheduled) }
    const rows =
      key.kind === 'id'
        ? await findById(key.payer, key.validStart, filter, context)
        : await findByHash(key.hash, filter, context)
    if (rows.length === 0) throw notFound()
    const answer = {
      body: `{"transactions":[${rows.map(bodyOf).join(',')}]}`,
      tag: tagOf(rows),
    }
    const pending = key.kind === 'id' && filter.scheduled === undefined && awaitsExecution(rows, context.now)
    return pending ? { ...answer, maxAge: pendingMaxAge, dependsOnClock: true } : answer
  },
})

function bodyOf({ body, assessedCustomFees: fees }: TransactionRow): string {
  return fees === null ? body : `${body.slice(0, -1)},"assessed_custom_fees":${fees}}`
}

/** Whether a schedule was created, has not run, and is young enough that it still may. */
function awaitsExecution(rows: readonly TransactionRow[], now: bigint): boolean {
  const created = rows.findLast(isCreatedSchedule)
  return created !== undefined && !rows.some(isScheduled) && now - timeOf(created) < longestSchedule
}
