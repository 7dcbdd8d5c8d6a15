import { TokenType } from '#projections/tokens/schema.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { type Filters, lastValue, type Order } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { includes, requireEqual, type Selection, selectionOf } from '#queries/common/range.ts'
import type { tokenListParameters } from '#queries/tokens/params.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

/** Which tokens to list. */
export interface TokenCriteria {
  readonly ids: Selection
  /** Who may hold them; undefined: anybody. */
  readonly account: bigint | undefined
  /** What names contain, all of them. */
  readonly names: readonly string[]
  /** Hex digits of the key that administers them; undefined: any. */
  readonly publicKey: string | undefined
  /** Number of their type; undefined: any. */
  readonly type: number | undefined
  readonly order: Order
  readonly limit: number
}

type ListFilters = Filters<typeof tokenListParameters>

/** The list's parameters as one condition; undefined when no token can meet them. Throws `invalid_parameter`. */
export function tokenCriteria({
  filters,
  query,
  order,
  limit,
}: ListRequest<typeof tokenListParameters>): TokenCriteria | undefined {
  const names = filters.name.map(({ value }) => value)
  const account = accountOf(filters, query)
  const types = typesOf(filters)
  if (types.length === 0 || account === 'nobody') return undefined
  return {
    ids: selectionOf(filters['token.id'], minInt64),
    account,
    names,
    publicKey: lastValue(filters.publickey),
    type: types.length === 1 ? types[0] : undefined,
    order,
    limit,
  }
}

/** Numbers of the types that all conditions leave. */
function typesOf({ type: filters }: ListFilters): number[] {
  const given = filters.flatMap(({ operator, value: { type: value } }) =>
    value === undefined ? [] : [{ operator, value }],
  )
  const range = requireEqual(selectionOf(given))
  return Object.values(TokenType).filter((type) => range && includes(range, BigInt(type)))
}

/** Established clients are told of this first, whether or not the values are valid. */
export function assertNameAlone(query: QueryParameters): void {
  const isGiven = (wanted: string) => query.some(({ name, values }) => name === wanted && values.join() !== '')
  if (!isGiven('name')) return
  if (isGiven('token.id'))
    throw invalidParameters(['token.id and name can not be used together. Use a more specific name instead.'])
  if (isGiven('account.id')) throw invalidParameters(['account.id and name cannot be used together'])
}

/** One plain id, without an operator. */
function accountOf({ 'account.id': filters }: ListFilters, query: QueryParameters): bigint | 'nobody' | undefined {
  const [first, second] = filters
  if (first === undefined) return undefined
  const given = query.find(({ name }) => name === 'account.id')?.values ?? []
  if (second !== undefined) throw invalidParameters([`Entity ID "${given.join(',')}" is not a string`])
  if (given[0]?.includes(':')) throw invalidParameters(['Invalid parameter: account.id'])
  return first.value.kind === 'id' ? first.value.id : 'nobody'
}
