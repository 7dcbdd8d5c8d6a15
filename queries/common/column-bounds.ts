import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter, Operator } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { type Range, selectionOf } from '#queries/common/range.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

/** The conditions on a column of an order; undefined is a value that no row has. */
export interface ColumnFilters {
  readonly name: string
  readonly filters: readonly Filter<bigint | undefined>[]
}

/** What conditions on the two columns of an order leave: rows between two places, of which all may have to have one value. */
export interface ColumnSelection {
  readonly range: TupleRange
  /** What the second column has to equal; the range is of the first column alone then. */
  readonly second: bigint | undefined
}

/**
 * Reads conditions of dialect A on a list that two columns order: of each column one value, or one bound on either side, of the
 * second only beside a bound of the first that it can refine. Undefined where no row can match; throws `invalid_parameter`.
 */
export function selectColumns(
  query: QueryParameters,
  first: ColumnFilters,
  second: ColumnFilters,
): ColumnSelection | undefined {
  assertColumns(query, first, second)
  if ([first, second].some(({ filters }) => filters.some(({ value }) => value === undefined))) return undefined
  return rangeOfColumns(first, second)
}

/** Throws `invalid_parameter` for conditions that dialect A refuses. */
export function assertColumns(query: QueryParameters, first: ColumnFilters, second: ColumnFilters): void {
  const columns = [first, second]
  // What is given twice is reported of the column that the request has first.
  for (const { name } of query) for (const column of columns) if (column.name === name) assertSingle(column)
  for (const column of columns) assertEqualOrRange(column)
  assertRefines(first, second)
}

/** The rows that filters leave which fit each other. */
export function rangeOfColumns(first: ColumnFilters, second: ColumnFilters): ColumnSelection {
  const [outer, inner] = [boundsOf(first), boundsOf(second)]
  if (inner.exact !== undefined) return { range: { lower: [outer.lower], upper: [outer.upper] }, second: inner.exact }
  return { range: { lower: [outer.lower, inner.lower], upper: [outer.upper, inner.upper] }, second: undefined }
}

const lower: readonly Operator[] = ['gt', 'gte']
const upper: readonly Operator[] = ['lt', 'lte']

function assertSingle({ name, filters }: ColumnFilters): void {
  const seen = new Set<string>()
  for (const { operator } of filters) {
    if (operator === 'ne') throw invalidParameters([`Not equal (ne) operator is not supported for ${name}`])
    const kind = lower.includes(operator) ? 'gt/gte' : upper.includes(operator) ? 'lt/lte' : 'equal (eq)'
    if (seen.has(kind)) throw invalidParameters([`Only one ${kind} operator is allowed for ${name}`])
    seen.add(kind)
  }
}

function assertEqualOrRange({ name, filters }: ColumnFilters): void {
  if (!hasOperator(filters, 'eq') || !hasOperator(filters, ...lower, ...upper)) return
  throw invalidParameters([`Can't support both range and equal for ${name}`])
}

function assertRefines(first: ColumnFilters, second: ColumnFilters): void {
  if (second.filters.length === 0) return
  if (first.filters.length === 0) throw invalidParameters([`${second.name} without a ${first.name} parameter filter`])
  if (hasOperator(second.filters, ...lower) && !hasOperator(first.filters, 'eq', 'gte'))
    throw invalidParameters([`${first.name} must have gte or eq operator`])
  if (hasOperator(second.filters, ...upper) && !hasOperator(first.filters, 'eq', 'lte'))
    throw invalidParameters([`${first.name} must have lte or eq operator`])
}

export function hasOperator(filters: readonly { readonly operator: Operator }[], ...operators: Operator[]): boolean {
  return filters.some(({ operator }) => operators.includes(operator))
}

/** Bounds of a column, which `eq` sets both. */
function boundsOf({ filters }: ColumnFilters): Range & { readonly exact: bigint | undefined } {
  const selection = selectionOf(filters as readonly Filter<bigint>[], minInt64)
  const [exact] = selection.equal
  return { exact, lower: exact ?? selection.lower, upper: exact ?? selection.upper }
}
