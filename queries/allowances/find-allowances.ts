import { type AllowanceRow, allowanceList, allowancesSchema } from '#projections/allowances/schema.ts'
import type { AllowanceContext } from '#queries/allowances/reads.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readStatePage } from '#queries/common/state-page.ts'
import { type Box, prefixOf, type TupleRange } from '#queries/common/tuple-range.ts'
import { versionsOf } from '#queries/common/versions-of.ts'

const fields = ['owner', 'spender', 'token', 'from', 'until', 'granted', 'grantedAt', 'amount', 'list'] as const

const allowanceVersions = versionsOf(allowancesSchema, 'allowances')

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
  const { allowances } = context.rows
  return readStatePage(spenders, {
    ...stateOf(page, allowanceList.hbar, context),
    tupleOf: ({ spender }) => [spender],
    listed: (box, limit) =>
      allowances.find({
        ...boundsOf(box, page),
        index: ['owner', 'list', 'spender', 'token'],
        prefix: [page.owner, allowanceList.hbar],
        limit,
      }),
  })
}

/** What is left of an owner's allowances of tokens, by spender and token. */
export function findTokenAllowances(
  page: Page,
  { range, second: token }: ColumnSelection,
  context: AllowanceContext,
): Promise<AllowanceRow[]> {
  const state = stateOf(page, allowanceList.tokens, context)
  const known = [page.owner, allowanceList.tokens] as const
  const { allowances } = context.rows
  if (token === undefined) {
    return readStatePage([range], {
      ...state,
      tupleOf: ({ spender, token }) => [spender, token],
      listed: (box, limit) =>
        allowances.find({
          ...boundsOf(box, page),
          index: ['owner', 'list', 'spender', 'token'],
          prefix: prefixOf(known, box),
          limit,
        }),
    })
  }
  return readStatePage([range], {
    ...state,
    shows: (row) => state.shows(row) && row.token === token,
    tupleOf: ({ spender }) => [spender],
    listed: (box, limit) =>
      allowances.find({
        ...boundsOf(box, page),
        index: ['owner', 'list', 'token', 'spender'],
        prefix: [...known, token],
        limit,
      }),
  })
}

function boundsOf({ lower, upper }: Box, { order }: Page) {
  return {
    collection: 'allowances',
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: order === 'desc',
    select: fields,
  } as const
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
    atBound: (newest: readonly AllowanceRow[]) => allowanceVersions.atInstant(rows.allowances, newest, time, fields),
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
