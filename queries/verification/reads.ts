import { contractResultsSchema } from '#projections/contract-results/schema.ts'
import { contractsSchema } from '#projections/contracts/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { transactionsSchema } from '#projections/transactions/schema.ts'
import { verificationSchema } from '#projections/verification/schema.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

/** Code of contracts, and what it was created by. */
export const codeReads = {
  contracts: contractsSchema,
  entities: entitiesSchema,
  'contract-results': contractResultsSchema,
  transactions: transactionsSchema,
}

/** What is verified. */
export const verifiedReads = { verification: verificationSchema }

export type CodeRows = { readonly [N in keyof typeof codeReads]: RowsAt<(typeof codeReads)[N]> }
export type VerifiedRows = RowsAt<typeof verificationSchema>
