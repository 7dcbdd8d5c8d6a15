import { accountTypes, type CurrentEntityRow } from '#projections/entities/schema.ts'
import type { AccountCriteria } from '#queries/accounts/criteria.ts'
import {
  accountsOf,
  currentFields,
  currentFieldsAndKey,
  type FoundAccount,
  findAccountsNow,
  isSyntheticTreasury,
} from '#queries/accounts/found-account.ts'
import type { AccountContext } from '#queries/accounts/reads.ts'
import type { ShownBalance } from '#queries/accounts/render.ts'
import { findAccountBalances, findHbarBalances } from '#queries/balances/find-account-balances.ts'

export interface ListedAccount {
  readonly account: FoundAccount
  /** null: not asked for. */
  readonly balance: ShownBalance | null
}

/** Accounts that a search reads at once: from a page to this many. */
const batchMax = 1_000
const batchGrowth = 4

/**
 * A page of accounts by id. Where a balance is asked for, accounts are read in the order of the list until enough have it: an
 * index by the balance itself would be written with every transfer and still not give this order. So few rich accounts among
 * millions are found as far as the request's time allows; docs/compatibility.md says what an index by its magnitude would cost.
 */
export async function findAccounts(criteria: AccountCriteria, context: AccountContext): Promise<ListedAccount[]> {
  const { limit } = criteria
  const listed: ListedAccount[] = []
  let size = limit
  let after: bigint | undefined
  while (listed.length < limit) {
    const { accounts, last } = await findNext(criteria, after, size, context)
    listed.push(...(await withBalances(accounts.slice(0, limit - listed.length), criteria, context)))
    if (last === undefined) break
    after = last
    size = Math.min(size * batchGrowth, batchMax)
    await context.pause()
  }
  return listed
}

interface Found {
  /** Those that the list shows, in its order. */
  readonly accounts: readonly FoundAccount[]
  /** Where the next ones begin beyond; undefined when there are none. */
  readonly last: bigint | undefined
}

/** Most searches are by type alone, and read the rows as they come: nearly all of them are on the page. */
async function findNext(
  criteria: AccountCriteria,
  after: bigint | undefined,
  size: number,
  context: AccountContext,
): Promise<Found> {
  const { ids, publicKey, balanceMatches } = criteria
  if (ids !== undefined || publicKey !== undefined || balanceMatches !== undefined) {
    const candidates = await findCandidates(criteria, after, size, context)
    const accounts = await findListable(await meetingBalance(candidates.ids, criteria, context), criteria, context)
    return { accounts, last: candidates.last }
  }
  const found = await findByType({ criteria, after, size, select: currentFields }, context)
  const accounts = await accountsOf(context.rows.entities, found)
  return { accounts: listable(accounts, criteria), last: found.length < size ? undefined : found.at(-1)?.id }
}

interface Candidates {
  /** In the order of the list. */
  readonly ids: readonly bigint[]
  /** Where the next ones begin beyond; undefined when there are none. */
  readonly last: bigint | undefined
}

/** Their ids alone, which the indexes hold: of those of each type that were read, only some are on the page. */
async function findCandidates(
  criteria: AccountCriteria,
  after: bigint | undefined,
  size: number,
  context: AccountContext,
): Promise<Candidates> {
  const { ids: given, order, publicKey } = criteria
  if (given !== undefined) return { ids: order === 'asc' ? given : [...given].reverse(), last: undefined }
  const found =
    publicKey?.equal === undefined
      ? await findByType({ criteria, after, size, select: idField }, context)
      : await findRange(['publicKey', 'id'], publicKey.equal, { criteria, after, size, select: idField }, context)
  return { ids: found.map(({ id }) => id), last: found.length < size ? undefined : found.at(-1)?.id }
}

const idField = ['id'] as const

interface RangeQuery<F extends keyof CurrentEntityRow> {
  readonly criteria: Pick<AccountCriteria, 'lower' | 'upper' | 'order'>
  readonly after: bigint | undefined
  readonly size: number
  readonly select: readonly (F | 'id')[]
}

/** The first ones of all types. Of each further type no more is read than comes before the last of those. */
async function findByType<F extends keyof CurrentEntityRow>(
  query: RangeQuery<F>,
  context: AccountContext,
): Promise<Pick<CurrentEntityRow, F | 'id'>[]> {
  const { size } = query
  const isAscending = query.criteria.order === 'asc'
  let { criteria } = query
  let first: Pick<CurrentEntityRow, F | 'id'>[] = []
  for (const type of accountTypes) {
    const found = await findRange(['type', 'id'], type, { ...query, criteria }, context)
    first = first.length === 0 ? found : merged(first, found, isAscending).slice(0, size)
    const last = first.length < size ? undefined : first.at(-1)?.id
    if (last !== undefined) criteria = { ...criteria, [isAscending ? 'upper' : 'lower']: last }
  }
  return first
}

function merged<R extends Pick<CurrentEntityRow, 'id'>>(one: R[], other: readonly R[], isAscending: boolean): R[] {
  if (other.length === 0) return one
  return [...one, ...other].sort((a, b) => (a.id < b.id === isAscending ? -1 : 1))
}

function findRange<F extends keyof CurrentEntityRow>(
  index: readonly ['type', 'id'] | readonly ['publicKey', 'id'],
  value: string,
  { criteria: { lower, upper, order }, after, size, select }: RangeQuery<F>,
  { rows }: AccountContext,
): Promise<Pick<CurrentEntityRow, F | 'id'>[]> {
  const isAscending = order === 'asc'
  const beyond = after === undefined ? undefined : { value: after, inclusive: false }
  return rows.entities.find({
    collection: 'entities',
    index,
    prefix: [value],
    lower: (isAscending ? beyond : undefined) ?? { value: lower, inclusive: true },
    upper: (isAscending ? undefined : beyond) ?? { value: upper, inclusive: true },
    descending: !isAscending,
    limit: size,
    select,
  })
}

async function findListable(
  ids: readonly bigint[],
  criteria: AccountCriteria,
  { rows: { entities } }: AccountContext,
): Promise<FoundAccount[]> {
  const fields = criteria.publicKey === undefined ? currentFields : currentFieldsAndKey
  return listable(await findAccountsNow(entities, ids, fields), criteria)
}

/** Those that the list shows. */
function listable(
  accounts: readonly (FoundAccount | undefined)[],
  { idMatches, publicKey, withBalance }: AccountCriteria,
): FoundAccount[] {
  return accounts.filter(
    (account) =>
      account !== undefined &&
      idMatches(account.id) &&
      (publicKey === undefined || publicKey.matches(account.publicKey)) &&
      !(withBalance && isSyntheticTreasury(account)),
  ) as FoundAccount[]
}

async function withBalances(
  accounts: readonly FoundAccount[],
  { withBalance, order }: AccountCriteria,
  context: AccountContext,
): Promise<ListedAccount[]> {
  if (!withBalance || accounts.length === 0) return accounts.map((account) => ({ account, balance: null }))
  const balances = await findAccountBalances(context.rows.balances, {
    accounts: accounts.map(({ id }) => id),
    at: { checkpoint: context.checkpoint, time: undefined },
    tokensMax: context.settings.tokensPerListedAccount,
    order,
  })
  return accounts.map((account, index) => ({ account, balance: balances[index]! }))
}

/** Those with the balance asked for: most have another one, and nobody wants to know more of them. */
async function meetingBalance(
  accounts: readonly bigint[],
  { balanceMatches }: AccountCriteria,
  { rows: { balances }, checkpoint }: AccountContext,
): Promise<readonly bigint[]> {
  if (balanceMatches === undefined || accounts.length === 0) return accounts
  const hbars = await findHbarBalances(balances, accounts, { checkpoint, time: undefined })
  return accounts.filter((_account, index) => {
    const { balance } = hbars[index]!
    return balance !== null && balanceMatches(balance)
  })
}
