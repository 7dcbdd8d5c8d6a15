import { accountTypes, type EntityRow, entityFields, isAccount } from '#projections/entities/schema.ts'
import type { AccountCriteria } from '#queries/accounts/criteria.ts'
import { allAtBound, findCurrent } from '#queries/accounts/find-version.ts'
import type { AccountContext } from '#queries/accounts/reads.ts'
import type { ShownBalance } from '#queries/accounts/render-account.ts'
import { findAccountBalances, findHbarBalances } from '#queries/balances/find-account-balances.ts'
import { entityIdParts } from '#src/domain/entity-id.ts'

export interface ListedAccount {
  readonly row: EntityRow
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
  const listed: ListedAccount[] = []
  let size = criteria.limit
  let after: bigint | undefined
  while (listed.length < criteria.limit) {
    const { rows, last } = await findCandidates(criteria, after, size, context)
    for (const account of await withBalances(await listable(rows, criteria, context), criteria, context)) {
      listed.push(account)
      if (listed.length === criteria.limit) return listed
    }
    if (last === undefined) return listed
    after = last
    size = Math.min(size * batchGrowth, batchMax)
    await context.pause()
  }
  return listed
}

interface Candidates {
  /** In the order of the list. */
  readonly rows: readonly EntityRow[]
  /** Where the next ones begin beyond; undefined when there are none. */
  readonly last: bigint | undefined
}

async function findCandidates(
  criteria: AccountCriteria,
  after: bigint | undefined,
  size: number,
  context: AccountContext,
): Promise<Candidates> {
  const { ids, order, publicKey } = criteria
  if (ids !== undefined) {
    const found = await findCurrent(
      context.rows.entities,
      order === 'asc' ? ids : [...ids].reverse(),
      context.checkpoint,
    )
    return { rows: found.filter((row) => row !== undefined), last: undefined }
  }
  const lists = await Promise.all(
    publicKey === undefined
      ? accountTypes.map((type) => findRange(['type', 'id'], type, criteria, after, size, context))
      : [findRange(['publicKey', 'id'], publicKey, criteria, after, size, context)],
  )
  const merged = lists.flat().sort((a, b) => (a.id < b.id === (order === 'asc') ? -1 : 1))
  const rows = merged.slice(0, size)
  return { rows, last: rows.length < size ? undefined : rows.at(-1)?.id }
}

function findRange(
  index: readonly ['type', 'id'] | readonly ['publicKey', 'id'],
  value: string,
  { lower, upper, order }: AccountCriteria,
  after: bigint | undefined,
  limit: number,
  { rows }: AccountContext,
): Promise<EntityRow[]> {
  const isAscending = order === 'asc'
  const beyond = after === undefined ? undefined : { value: after, inclusive: false }
  return rows.entities.find({
    collection: 'entities',
    index,
    prefix: [value],
    lower: (isAscending ? beyond : undefined) ?? { value: lower, inclusive: true },
    upper: (isAscending ? undefined : beyond) ?? { value: upper, inclusive: true },
    descending: !isAscending,
    limit,
    select: entityFields,
  })
}

/** Those that the list shows, as they are at the bound. */
async function listable(
  rows: readonly EntityRow[],
  { idMatches, publicKey, withBalance }: AccountCriteria,
  { rows: { entities }, checkpoint }: AccountContext,
): Promise<EntityRow[]> {
  const bounded = await allAtBound(entities, rows, checkpoint)
  return bounded.filter(
    (row) =>
      row !== undefined &&
      isAccount(row) &&
      idMatches(row.id) &&
      (publicKey === undefined || row.publicKey === publicKey) &&
      !(withBalance && isSyntheticTreasury(row)),
  ) as EntityRow[]
}

/** A stand-in that the established service made for networks that it knows the treasury of by balances only. */
function isSyntheticTreasury({ id, memo }: EntityRow): boolean {
  return memo === 'Mirror node created synthetic treasury account' && entityIdParts(id).number === 2n
}

async function withBalances(
  candidates: readonly EntityRow[],
  criteria: AccountCriteria,
  context: AccountContext,
): Promise<ListedAccount[]> {
  const { withBalance, order } = criteria
  const rows = await meetingBalance(candidates, criteria, context)
  if (!withBalance || rows.length === 0) return rows.map((row) => ({ row, balance: null }))
  const accounts = rows.map(({ id }) => id)
  const at = { bound: context.checkpoint, time: undefined }
  const balances = await findAccountBalances(context.rows.balances, {
    accounts,
    at,
    tokensMax: context.settings.tokensPerListedAccount,
    order,
  })
  return rows.map((row, index) => ({ row, balance: balances[index]! }))
}

/** Those with the balance asked for: most have another one, and nobody wants to know their tokens. */
async function meetingBalance(
  rows: readonly EntityRow[],
  { balanceMatches }: AccountCriteria,
  { rows: { balances }, checkpoint: bound }: AccountContext,
): Promise<readonly EntityRow[]> {
  if (balanceMatches === undefined || rows.length === 0) return rows
  const accounts = rows.map(({ id }) => id)
  const hbars = await findHbarBalances(balances, accounts, { bound, time: undefined })
  return rows.filter((_row, index) => {
    const { balance } = hbars[index]!
    return balance !== null && balanceMatches(balance)
  })
}
