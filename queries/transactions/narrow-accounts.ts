import { postingKind } from '#projections/transactions/schema.ts'
import { includes, type Selection } from '#queries/common/range.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import { postings } from '#queries/transactions/find-postings.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'

/** Looking so many accounts up reads about ten rows each at a million transactions, and at most 60 at a billion. */
const accountsMax = 512

/**
 * Turns an account range into the accounts that occur in it, where they are not too many: then their posting lists lead to
 * the transactions, however rare those are. Criteria of any other kind come back as they are.
 */
export async function narrowAccounts(criteria: Criteria, context: TransactionContext): Promise<Criteria> {
  const { accounts } = criteria
  if (accounts === undefined || accounts.oneOf !== undefined) return criteria
  const found = await accountsWithin(accounts.range, context)
  return found === undefined ? criteria : { ...criteria, accounts: { ...accounts, oneOf: found } }
}

async function accountsWithin(range: Selection, context: TransactionContext): Promise<bigint[] | undefined> {
  const found = new Set<bigint>()
  const kinds = context.settings.nftOnlyMatches ? [postingKind.account, postingKind.nftParty] : [postingKind.account]
  for (const kind of kinds) {
    for await (const terms of postings.terms(context, kind, range.lower, range.upper)) {
      for (const term of terms) if (includes(range, term)) found.add(term)
      if (found.size > accountsMax) return undefined
      await context.pause()
    }
  }
  return [...found]
}
