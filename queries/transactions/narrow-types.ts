import { postingKind } from '#projections/transactions/schema.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { postings } from '#queries/transactions/find-postings.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'

/** Type numbers are 16 bits wide in a posting. */
const typeMax = 0xffffn

/**
 * Turns a condition on types that have no name into the numbers that occur and meet it, so that their posting lists lead to
 * the transactions. Criteria of any other kind come back as they are.
 */
export async function narrowTypes(criteria: Criteria, context: TransactionContext): Promise<Criteria> {
  const { types } = criteria
  if (types === undefined || types.numbers !== undefined) return criteria
  const numbers: number[] = []
  for await (const terms of postings.terms(context, postingKind.type, 0n, typeMax))
    numbers.push(...terms.map(Number).filter(types.matches))
  return { ...criteria, types: { ...types, numbers } }
}
