import type { balancesSchema } from '#projections/balances/schema.ts'
import type { KeyOf, RowOf } from '#src/ports/read-store.ts'

/** Fewer accounts than this are read by their keys. */
const rangeMin = 4
/** A range may have so many numbers for each account that is wanted. */
const numbersEach = 4

interface AccountBound {
  readonly value: bigint
  readonly inclusive: boolean
}

interface AccountRange {
  readonly lower: AccountBound
  readonly upper: AccountBound
  readonly descending: boolean
  readonly limit: number
}

type AccountKey = KeyOf<typeof balancesSchema, 'balances'>

/**
 * Rows of accounts in their order; undefined where there is none. Those of a page have numbers close to each other, and then one
 * read of the range between them costs half as much as a read for each.
 */
export async function rowsOfAccounts<R extends Pick<RowOf<typeof balancesSchema, 'balances'>, 'account'>>(
  accounts: readonly bigint[],
  get: (keys: readonly AccountKey[]) => Promise<(R | undefined)[]>,
  find: (range: AccountRange) => Promise<R[]>,
): Promise<(R | undefined)[]> {
  const range = rangeOf(accounts)
  if (range === undefined) return get(accounts.map((account) => [account] as const))
  const found = await find(range)
  let at = 0
  return accounts.map((account) => {
    while (at < found.length && found[at]!.account < account !== range.descending && found[at]!.account !== account)
      at++
    return found[at]?.account === account ? found[at] : undefined
  })
}

/** Undefined unless they are in order, and close to each other. */
function rangeOf(accounts: readonly bigint[]): AccountRange | undefined {
  const first = accounts[0]
  const last = accounts.at(-1)
  if (first === undefined || last === undefined || accounts.length < rangeMin) return undefined
  const descending = last < first
  const [lower, upper] = descending ? [last, first] : [first, last]
  const numbers = upper - lower + 1n
  if (numbers > BigInt(accounts.length * numbersEach)) return undefined
  for (let index = 1; index < accounts.length; index++)
    if (accounts[index - 1]! < accounts[index]! === descending) return undefined
  return {
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending,
    limit: Number(numbers),
  }
}
