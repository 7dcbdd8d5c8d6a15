import { transactionsSchema } from '#projections/transactions/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'
import type { Rows } from '#src/ports/read-store.ts'

/** What the queries of transactions read from. */
export const transactionReads = { transactions: transactionsSchema }

export type TransactionContext = QueryContext<typeof transactionReads>
export type TransactionRows = Rows<typeof transactionsSchema>
