import { accountTypes, type EntityRow, isAccount } from '#projections/entities/schema.ts'
import type { AccountCriteria } from '#queries/accounts/criteria.ts'
import { findCurrent } from '#queries/accounts/find-version.ts'
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
    const { ids, last } = await findCandidates(criteria, after, size, context)
    const rows = await findListable(await meetingBalance(ids, criteria, context), criteria, context)
    listed.push(...(await withBalances(rows.slice(0, limit - listed.length), criteria, context)))
    if (last === undefined) break
    after = last
    size = Math.min(size * batchGrowth, batchMax)
    await context.pause()
  }
  return listed
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
  const lists = await Promise.all(
    publicKey === undefined
      ? accountTypes.map((type) => findRange(['type', 'id'], type, criteria, after, size, context))
      : [findRange(['publicKey', 'id'], publicKey, criteria, after, size, context)],
  )
  const merged = lists.flat().sort((a, b) => (a < b === (order === 'asc') ? -1 : 1))
  const ids = merged.slice(0, size)
  return { ids, last: ids.length < size ? undefined : ids.at(-1) }
}

async function findRange(
  index: readonly ['type', 'id'] | readonly ['publicKey', 'id'],
  value: string,
  { lower, upper, order }: AccountCriteria,
  after: bigint | undefined,
  limit: number,
  { rows }: AccountContext,
): Promise<bigint[]> {
  const isAscending = order === 'asc'
  const beyond = after === undefined ? undefined : { value: after, inclusive: false }
  const found = await rows.entities.find({
    collection: 'entities',
    index,
    prefix: [value],
    lower: (isAscending ? beyond : undefined) ?? { value: lower, inclusive: true },
    upper: (isAscending ? undefined : beyond) ?? { value: upper, inclusive: true },
    descending: !isAscending,
    limit,
    select: ['id'],
  })
  return found.map(({ id }) => id)
}

/** The key is there only where it is asked for. */
type CandidateRow = AccountRow & Partial<Pick<EntityRow, 'publicKey'>>

const fieldsAndKey = [...accountFields, 'publicKey'] as const

/** Those that the list shows, as they are at the bound. */
async function findListable(
  ids: readonly bigint[],
  { idMatches, publicKey, withBalance }: AccountCriteria,
  { rows: { entities }, checkpoint }: AccountContext,
): Promise<AccountRow[]> {
  const wanted = ids.filter(idMatches)
  const found: readonly (CandidateRow | undefined)[] =
    publicKey === undefined
      ? await findCurrent(entities, wanted, checkpoint, accountFields)
      : await findCurrent(entities, wanted, checkpoint, fieldsAndKey)
  return found.filter(
    (row) =>
      row !== undefined &&
      isAccount(row) &&
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
