import { type AllowanceRow, allowanceList } from '#projections/allowances/schema.ts'
import type { AllowanceContext } from '#queries/allowances/reads.ts'
import type { ColumnSelection } from '#queries/common/column-bounds.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readOf } from '#queries/common/range.ts'
import { type Box, boxesInOrder, prefixOf, type TupleRange } from '#queries/common/tuple-range.ts'

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
  { rows: { allowances } }: AllowanceContext,
): Promise<AllowanceRow[]> {
  const index = ['owner', 'list', 'spender', 'token'] as const
  const prefix = [page.owner, allowanceList.hbar] as const
  const boxes = boxesInOrder(spenders, page.order)
  return allowances.findEach(boxes.map((box) => ({ ...queryOf(box, page), index, prefix })))
}

/** What is left of an owner's allowances of tokens, by spender and token. */
export function findTokenAllowances(
  page: Page,
  { range, second: token }: ColumnSelection,
  { rows: { allowances } }: AllowanceContext,
): Promise<AllowanceRow[]> {
  const known = [page.owner, allowanceList.tokens] as const
  const boxes = boxesInOrder([range], page.order)
  if (token !== undefined) {
    const query = { index: ['owner', 'list', 'token', 'spender'], prefix: [...known, token] } as const
    return allowances.findEach(boxes.map((box) => ({ ...queryOf(box, page), ...query })))
  }
  const index = ['owner', 'list', 'spender', 'token'] as const
  return allowances.findEach(boxes.map((box) => ({ ...queryOf(box, page), index, prefix: prefixOf(known, box) })))
}

function queryOf(box: Box, { order, limit }: Page) {
  return { collection: 'allowances', ...readOf(box, order, limit), select: fields } as const
}
