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
import { eachStep, firstOf, growing, inSteps, type Step } from '#queries/common/in-steps.ts'
import type { Order } from '#queries/common/parameters.ts'
import { sorted } from '#queries/common/range.ts'

export interface ListedAccount {
  readonly account: FoundAccount
  /** null: not asked for. */
  readonly balance: ShownBalance | null
}

/** Accounts that a search reads at once: from a page to this many. */
const batchMax = 1_000

/**
 * A page of accounts by id. Where a balance is asked for, accounts are read in the order of the list until enough have it: an
 * index by the balance itself would be written with every transfer and still not give this order. So few rich accounts among
 * millions are found as far as the request's time allows; docs/compatibility.md says what an index by its magnitude would cost.
 */
export async function findAccounts(criteria: AccountCriteria, context: AccountContext): Promise<ListedAccount[]> {
  return withBalances(await firstOf(accountsInOrder(criteria, context), criteria.limit), criteria, context)
}

/** Those that the list shows. Most searches are by type alone, and read the rows as they come: nearly all of them are on the page. */
function accountsInOrder(criteria: AccountCriteria, context: AccountContext): AsyncIterable<readonly FoundAccount[]> {
  const { ids, order, publicKey, balanceMatches, ...range } = criteria
  const { entities } = context.rows
  const inBatches = <R extends Pick<CurrentEntityRow, 'id'>>(find: (step: Step) => Promise<readonly R[]>) =>
    inSteps({ ...range, order, next: growing(batchMax) }, context.pause, find, ({ id }) => id)
  if (ids === undefined && publicKey === undefined && balanceMatches === undefined) {
    const rows = inBatches((step) => findByType(step, currentFields, context))
    return eachStep(rows, async (found) => listable(await accountsOf(entities, found), criteria))
  }
  // Their ids alone, which the indexes hold: of those of each type that were read, only some are on the page.
  const candidates = ids === undefined ? inBatches((step) => findIds(step, publicKey, context)) : given(ids, order)
  return eachStep(candidates, async (found) => {
    const some = found.map(({ id }) => id)
    return findListable(await meetingBalance(some, criteria, context), criteria, context)
  })
}

async function* given(ids: readonly bigint[], order: Order) {
  yield sorted(ids, order).map((id) => ({ id }))
}

const idField = ['id'] as const

function findIds(step: Step, publicKey: AccountCriteria['publicKey'], context: AccountContext) {
  return publicKey?.equal === undefined
    ? findByType(step, idField, context)
    : findRange(['publicKey', 'id'], publicKey.equal, step, idField, context)
}

/** The first ones of all types. Of each further type no more is read than comes before the last of those. */
async function findByType<F extends keyof CurrentEntityRow>(
  step: Step,
  select: readonly (F | 'id')[],
  context: AccountContext,
): Promise<Pick<CurrentEntityRow, F | 'id'>[]> {
  let wanted = step
  let first: Pick<CurrentEntityRow, F | 'id'>[] = []
  for (const type of accountTypes) {
    const found = await findRange(['type', 'id'], type, wanted, select, context)
    first = first.length === 0 ? found : merged(first, found, step.descending).slice(0, step.limit)
    const last = first.length < step.limit ? undefined : first.at(-1)?.id
    const edge = last === undefined ? {} : { [step.descending ? 'lower' : 'upper']: { value: last, inclusive: true } }
    wanted = { ...wanted, ...edge }
  }
  return first
}

function merged<R extends Pick<CurrentEntityRow, 'id'>>(one: R[], other: readonly R[], descending: boolean): R[] {
  if (other.length === 0) return one
  return [...one, ...other].sort((a, b) => (a.id < b.id === descending ? 1 : -1))
}

function findRange<F extends keyof CurrentEntityRow>(
  index: readonly ['type', 'id'] | readonly ['publicKey', 'id'],
  value: string,
  step: Step,
  select: readonly (F | 'id')[],
  { rows }: AccountContext,
): Promise<Pick<CurrentEntityRow, F | 'id'>[]> {
  return rows.entities.find({ collection: 'entities', index, prefix: [value], ...step, select })
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
