import { type Holding, holdingsMax, unpackHoldings } from '#projections/balances/packing/holdings.ts'
import { PointFlag } from '#projections/balances/packing/series.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { type BalanceRows, type Instant, isCurrent } from '#queries/balances/instant.ts'
import { rowsOfAccounts } from '#queries/balances/rows-of-accounts.ts'

const { known, associated } = PointFlag
const listed = known | associated

const holdingFields = ['account', 'since', 'from', 'tokens'] as const

/** Relations read at once where they have to be asked one by one. */
const pageRows = 200

export interface TokenBalancesQuery {
  readonly accounts: readonly bigint[]
  readonly at: Instant
  /** Most tokens of each account. */
  readonly tokensMax: number
  readonly order: 'asc' | 'desc'
}

/** The tokens that each of the accounts may hold, with their balances, at an instant. */
export async function findTokenBalances(
  rows: BalanceRows,
  { accounts, at, tokensMax, order }: TokenBalancesQuery,
): Promise<(readonly Holding[])[]> {
  const found = await rowsOfAccounts(
    accounts,
    (keys) => rows.get('holdings', keys, holdingFields),
    (range) => rows.find({ collection: 'holdings', index: ['account'], ...range, select: holdingFields }),
  )
  const told = (row: (typeof found)[number]) => row === undefined || (row.tokens !== null && isCurrent(row, at))
  const holdingsOf = (row: (typeof found)[number]): readonly Holding[] => {
    if (!row?.tokens) return []
    const holdings = unpackHoldings(row.tokens)
    if (order === 'desc') holdings.reverse()
    return tokensMax < holdingsMax ? holdings.slice(0, tokensMax) : holdings
  }
  if (found.every(told)) return found.map(holdingsOf)
  return Promise.all(
    found.map((row, index) => (told(row) ? holdingsOf(row) : findEach(rows, accounts[index]!, at, tokensMax, order))),
  )
}

/** Asks the relations of an account one after another: those of many tokens, and those of the past. */
async function findEach(
  rows: BalanceRows,
  account: bigint,
  at: Instant,
  tokensMax: number,
  order: 'asc' | 'desc',
): Promise<Holding[]> {
  const holdings: Holding[] = []
  let last: bigint | undefined
  while (holdings.length < tokensMax) {
    const page = await findRelations(rows, account, last, order)
    const points = await Promise.all(page.map((row) => findPoint(rows, row, at)))
    for (const [index, { token }] of page.entries()) {
      const point = points[index]
      if (point === undefined || (point.flags & listed) !== listed) continue
      holdings.push({ token, balance: point.amount })
      if (holdings.length === tokensMax) break
    }
    last = page.at(-1)?.token
    if (page.length < pageRows) break
  }
  return holdings
}

function findRelations(rows: BalanceRows, account: bigint, last: bigint | undefined, order: 'asc' | 'desc') {
  const descending = order === 'desc'
  const after = last === undefined ? {} : { [descending ? 'upper' : 'lower']: { value: last, inclusive: false } }
  return rows.find({
    collection: 'tokenBalances',
    index: ['account', 'token'],
    prefix: [account],
    ...after,
    descending,
    limit: pageRows,
    select: ['account', 'token', 'from', 'segment', 'chunks', 'points', 'tail'],
  })
}
