import { int64ToNumber } from '#src/domain/int64-words.ts'

/** Numbers of accounts in shard 0 and realm 0, both inclusive. */
export type AccountRange = readonly [from: number, to: number]

/** More accounts than a range of a setting may have: each is asked on its own. */
const rangeAccountsMax = 10_000

/** `42` or `44-71`; undefined for other texts and ranges that are empty or too long. */
export function parseAccountRange(text: string): AccountRange | undefined {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const from = Number(match[1])
  const to = Number(match[2] ?? from)
  return to < from || to - from >= rangeAccountsMax ? undefined : [from, to]
}

/** Of a setting, which has the form. */
export function accountRangeOf(text: string): AccountRange {
  const range = parseAccountRange(text)
  if (range === undefined) throw new Error(`${text} is no range of accounts`)
  return range
}

export function formatAccountRange([from, to]: AccountRange): string {
  return from === to ? `${from}` : `${from}-${to}`
}

/**
 * Numbers of the accounts whose balances are not released on the main network, from and to. Origin: the released supply as
 * the established service defines it.
 */
export const unreleasedRanges: readonly AccountRange[] = [
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
/** 1 for each of them: a fold asks about both sides of every transfer. */
const isUnreleasedByNumber = new Uint8Array(newest + 1)
for (const [from, to] of unreleasedRanges) isUnreleasedByNumber.fill(1, from, to + 1)

/** Entity ids equal numbers in shard 0 and realm 0, where these accounts are. */
export function isUnreleased(account: bigint): boolean {
  const number = int64ToNumber(account)
  return number >= 0 && number <= newest && isUnreleasedByNumber[number] === 1
}
