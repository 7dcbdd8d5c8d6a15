/**
 * Numbers of the accounts whose balances are not released on the main network, from and to. Origin: the released supply as
 * the established service defines it.
 */
export const unreleasedRanges: readonly (readonly [from: number, to: number])[] = [
  [2, 2],
  [42, 42],
  [44, 71],
  [73, 87],
  [99, 100],
  [200, 349],
  [400, 750],
]

/** The account that stands for all of them. */
export const unreleasedAccount = -1n

const newest = unreleasedRanges.reduce((most, [, to]) => Math.max(most, to), 0)

/** Entity ids equal numbers in shard 0 and realm 0, where these accounts are. */
export function isUnreleased(account: bigint): boolean {
  if (account > newest) return false
  const number = Number(account)
  return unreleasedRanges.some(([from, to]) => from <= number && number <= to)
}
