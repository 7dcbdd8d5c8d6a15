import { accountTypes, type EntityRow, isAccount } from '#projections/entities/schema.ts'
import type { AccountCriteria } from '#queries/accounts/criteria.ts'
import { allAtBound, findCurrent } from '#queries/accounts/find-version.ts'
import { type AccountContext, type AccountRow, accountFields } from '#queries/accounts/reads.ts'
import type { ShownBalance } from '#queries/accounts/render-account.ts'
import { findAccountBalances, findHbarBalances } from '#queries/balances/find-account-balances.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'

export interface ListedAccount {
  readonly row: AccountRow
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
    const { rows, last } = await findNext(criteria, after, size, context)
    listed.push(...(await withBalances(rows.slice(0, limit - listed.length), criteria, context)))
    if (last === undefined) break
    after = last
    size = Math.min(size * batchGrowth, batchMax)
    await context.pause()
  }
  return listed
}

interface Found {
  /** Those that the list shows, in its order. */
  readonly rows: readonly AccountRow[]
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
    const rows = await findListable(await meetingBalance(candidates.ids, criteria, context), criteria, context)
    return { rows, last: candidates.last }
  }
  const found = await findByType({ criteria, after, size, select: accountFields }, context)
  const {
    rows: { entities },
    checkpoint,
  } = context
  const current = await allAtBound(entities, found, checkpoint, accountFields)
  return { rows: listable(current, criteria), last: found.length < size ? undefined : found.at(-1)?.id }
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
    publicKey === undefined
      ? await findByType({ criteria, after, size, select: idField }, context)
      : await findRange(['publicKey', 'id'], publicKey, { criteria, after, size, select: idField }, context)
  return { ids: found.map(({ id }) => id), last: found.length < size ? undefined : found.at(-1)?.id }
}

const idField = ['id'] as const

interface RangeQuery<F extends keyof EntityRow> {
  readonly criteria: Pick<AccountCriteria, 'lower' | 'upper' | 'order'>
  readonly after: bigint | undefined
  readonly size: number
  readonly select: readonly (F | 'id')[]
}

/** The first ones of all types. Of each further type no more is read than comes before the last of those. */
async function findByType<F extends keyof EntityRow>(
  query: RangeQuery<F>,
  context: AccountContext,
): Promise<Pick<EntityRow, F | 'id'>[]> {
  const { size } = query
  const isAscending = query.criteria.order === 'asc'
  let { criteria } = query
  let first: Pick<EntityRow, F | 'id'>[] = []
  for (const type of accountTypes) {
    const found = await findRange(['type', 'id'], type, { ...query, criteria }, context)
    first = first.length === 0 ? found : merged(first, found, isAscending).slice(0, size)
    const last = first.length < size ? undefined : first.at(-1)?.id
    if (last !== undefined) criteria = { ...criteria, [isAscending ? 'upper' : 'lower']: last }
  }
  return first
}

function merged<R extends Pick<EntityRow, 'id'>>(one: R[], other: readonly R[], isAscending: boolean): R[] {
  if (other.length === 0) return one
  return [...one, ...other].sort((a, b) => (a.id < b.id === isAscending ? -1 : 1))
}

function findRange<F extends keyof EntityRow>(
  index: readonly ['type', 'id'] | readonly ['publicKey', 'id'],
  value: string,
  { criteria: { lower, upper, order }, after, size, select }: RangeQuery<F>,
  { rows }: AccountContext,
): Promise<Pick<EntityRow, F | 'id'>[]> {
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

/** The key is there only where it is asked for. */
type CandidateRow = AccountRow & Partial<Pick<EntityRow, 'publicKey'>>

const fieldsAndKey = [...accountFields, 'publicKey'] as const

async function findListable(
  ids: readonly bigint[],
  criteria: AccountCriteria,
  { rows: { entities }, checkpoint }: AccountContext,
): Promise<AccountRow[]> {
  return listable(
    criteria.publicKey === undefined
      ? await findCurrent(entities, ids, checkpoint, accountFields)
      : await findCurrent(entities, ids, checkpoint, fieldsAndKey),
    criteria,
  )
}

/** Those that the list shows of rows as they are at the bound. */
function listable(
  rows: readonly (CandidateRow | undefined)[],
  { idMatches, publicKey, withBalance }: AccountCriteria,
): AccountRow[] {
  return rows.filter(
    (row) =>
      row !== undefined &&
      isAccount(row) &&
      idMatches(row.id) &&
      (publicKey === undefined || row.publicKey === publicKey) &&
      !(withBalance && isSyntheticTreasury(row)),
  ) as AccountRow[]
}

/** A stand-in that the established service made for networks that it knows the treasury of by balances only. */
function isSyntheticTreasury({ id, memo }: AccountRow): boolean {
  return memo === 'Mirror node created synthetic treasury account' && entityIdParts(id).number === 2n
}

async function withBalances(
  rows: readonly AccountRow[],
  { withBalance, order }: AccountCriteria,
  context: AccountContext,
): Promise<ListedAccount[]> {
  if (!withBalance || rows.length === 0) return rows.map((row) => ({ row, balance: null }))
  const balances = await findAccountBalances(context.rows.balances, {
    accounts: rows.map(({ id }) => id),
    at: { bound: context.checkpoint, time: undefined },
    tokensMax: context.settings.tokensPerListedAccount,
    order,
  })
  return rows.map((row, index) => ({ row, balance: balances[index]! }))
}

/** Those with the balance asked for: most have another one, and nobody wants to know more of them. */
async function meetingBalance(
  accounts: readonly bigint[],
  { balanceMatches }: AccountCriteria,
  { rows: { balances }, checkpoint: bound }: AccountContext,
): Promise<readonly bigint[]> {
  if (balanceMatches === undefined || accounts.length === 0) return accounts
  const hbars = await findHbarBalances(balances, accounts, { bound, time: undefined })
  return accounts.filter((_account, index) => {
    const { balance } = hbars[index]!
    return balance !== null && balanceMatches(balance)
  })
}
