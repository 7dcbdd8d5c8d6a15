import { type AllowanceRow, allowanceList, type allowancesSchema } from '#projections/allowances/schema.ts'
import type { AllowanceContext } from '#queries/allowances/reads.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import { newestAt } from '#queries/common/newest-at.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readStatePage } from '#queries/common/state-page.ts'
import type { Box, TupleRange } from '#queries/common/tuple-range.ts'
import { versionAt } from '#queries/common/version-at.ts'

const fields = ['owner', 'spender', 'token', 'from', 'until', 'granted', 'grantedAt', 'amount', 'list'] as const

interface Page {
  readonly owner: bigint
  readonly order: Order
  readonly limit: number
}

/** What is left of an owner's allowances of hbar, by spender. */
export function findHbarAllowances(
  page: Page,
  spenders: readonly TupleRange[],
  context: AllowanceContext,
): Promise<AllowanceRow[]> {
  const index = ['owner', 'list', 'spender', 'token'] as const
  return readStatePage(spenders, {
    ...stateOf(page, allowanceList.hbar, context),
    tupleOf: ({ spender }) => [spender],
    listed: listedBy(index, [page.owner, allowanceList.hbar], page, context),
  })
}

/** What is left of an owner's allowances of tokens, by spender and token. */
export function findTokenAllowances(
  page: Page,
  { range, second: token }: ColumnSelection,
  context: AllowanceContext,
): Promise<AllowanceRow[]> {
  const state = stateOf(page, allowanceList.tokens, context)
  if (token === undefined) {
    return readStatePage([range], {
      ...state,
      tupleOf: ({ spender, token }) => [spender, token],
      listed: listedBy(['owner', 'list', 'spender', 'token'], [page.owner, allowanceList.tokens], page, context),
    })
  }
  return readStatePage([range], {
    ...state,
    shows: (row) => state.shows(row) && row.token === token,
    tupleOf: ({ spender }) => [spender],
    listed: listedBy(['owner', 'list', 'token', 'spender'], [page.owner, allowanceList.tokens, token], page, context),
  })
}

type ListIndex = (typeof allowancesSchema.collections.allowances.indexes)[0 | 1]

function listedBy(
  index: ListIndex,
  prefix: readonly (bigint | number)[],
  { order }: Page,
  { rows }: AllowanceContext,
): (box: Box, limit: number) => Promise<AllowanceRow[]> {
  return ({ equal, lower, upper }, limit) =>
    rows.allowances.find({
      collection: 'allowances',
      index,
      prefix: [...prefix, ...equal],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit,
      select: fields,
    })
}

function stateOf({ owner, order, limit }: Page, list: number, { rows, checkpoint, pause }: AllowanceContext) {
  const { time } = checkpoint
  return {
    time,
    order,
    limit,
    pause,
    shows: (row: AllowanceRow) => row.list === list,
    changed: () => changedSince(owner, time, rows),
    atBound: (row: AllowanceRow) =>
      versionAt(row, time, ({ spender, token }) =>
        rows.allowances.find({
          collection: 'allowanceVersions',
          index: ['owner', 'spender', 'token', 'from'],
          prefix: [owner, spender, token],
          ...newestAt(time),
          select: fields,
        }),
      ),
  }
}

/** Most allowances of one owner that may change while a request runs. */
const changedMax = 10_000

function changedSince(owner: bigint, time: bigint, { allowances }: AllowanceContext['rows']): Promise<AllowanceRow[]> {
  return allowances.find({
    collection: 'allowances',
    index: ['owner', 'from'],
    prefix: [owner],
    lower: { value: time, inclusive: false },
    limit: changedMax,
    select: fields,
  })
}
