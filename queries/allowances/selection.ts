import { assertPair, boundsOf } from '#queries/common/column-pair.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import type { Filter } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { sorted } from '#queries/common/selection.ts'
import type { TupleRange } from '#queries/common/tuple-range.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

type EntityFilters = readonly Filter<EntityReference>[]

/** An address that is no number is nobody's, as established clients know it. */
function idsOf(filters: EntityFilters): Filter<bigint>[] {
  return filters.flatMap(({ operator, value }) => (value.kind === 'id' ? [{ operator, value: value.id }] : []))
}

/** The spenders of hbar that a request wants, ascending. Values given with `eq` form a set, of which the bounds leave what lies within. */
export function selectSpenders(filters: EntityFilters): TupleRange[] {
  if (filters.some(({ operator }) => operator === 'ne'))
    throw invalidParameters(['Not equal (ne) comparison operator is not supported for spender.id'])
  if (filters.some(({ operator, value }) => operator !== 'eq' && value.kind !== 'id')) return []
  const { lower, upper, equal } = combineRange(idsOf(filters), minInt64)
  if (filters.every(({ operator }) => operator !== 'eq')) return [{ lower: [lower], upper: [upper] }]
  const within = equal.filter((value) => value >= lower && value <= upper)
  return sorted(within, 'asc').map((value) => ({ lower: [value], upper: [value] }))
}

/** The allowances of tokens that a request wants. */
export interface TokenSelection {
  /** Of spender and token; of the spender alone where the token has to equal a value. */
  readonly range: TupleRange
  readonly token: bigint | undefined
}

/** Undefined where no allowance can match; throws `invalid_parameter`. */
export function selectTokens(
  query: QueryParameters,
  filters: Readonly<Record<'spender.id' | 'token.id', EntityFilters>>,
): TokenSelection | undefined {
  const read = (name: 'spender.id' | 'token.id') => boundsOf(name, filters[name].map(numbered))
  // What is given twice is reported of the parameter that the request has first.
  for (const { name } of query) if (name === 'spender.id' || name === 'token.id') read(name)
  const [spender, token] = [read('spender.id'), read('token.id')]
  assertPair(spender, token)
  if ([...filters['spender.id'], ...filters['token.id']].some(({ value }) => value.kind !== 'id')) return undefined
  const [outer, inner] = [inclusive(spender), inclusive(token)]
  if (token.equal) return { range: { lower: [outer.lower], upper: [outer.upper] }, token: token.equal.value }
  return { range: { lower: [outer.lower, inner.lower], upper: [outer.upper, inner.upper] }, token: undefined }
}

/** For the rules alone, which ask for operators. */
function numbered({ operator, value }: Filter<EntityReference>): Filter<bigint> {
  return { operator, value: value.kind === 'id' ? value.id : 0n }
}

function inclusive({ equal, lower, upper }: ReturnType<typeof boundsOf>): { lower: bigint; upper: bigint } {
  if (equal) return { lower: equal.value, upper: equal.value }
  const above = lower && lower.value + (lower.operator === 'gt' ? 1n : 0n)
  const below = upper && upper.value - (upper.operator === 'lt' ? 1n : 0n)
  return { lower: above ?? minInt64, upper: below ?? maxInt64 }
}
