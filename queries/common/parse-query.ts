import { invalidParameters } from '#queries/common/errors.ts'
import type { AnyParameter, Filter, Filters, Operator, Parameters } from '#queries/common/parameters.ts'
import { Refusal } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { QuerySettings } from '#queries/common/settings.ts'

const operators = new Set<string>(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])
const nothing: readonly Filter<unknown>[] = []

export interface OperatorAndText {
  /** undefined when the value names an operator that does not exist. */
  readonly operator: Operator | undefined
  readonly text: string
}

/** Splits `op:value`. Only the last two pieces count, whatever stands before them; without a colon it is `eq`. */
export function splitOperator(value: string): OperatorAndText {
  const colon = value.lastIndexOf(':')
  if (colon === -1) return { operator: 'eq', text: value }
  const operator = value.slice(value.lastIndexOf(':', colon - 1) + 1, colon)
  // A colon at the very beginning leaves an empty operator.
  if (colon === 0 || !operators.has(operator)) return { operator: undefined, text: value.slice(colon + 1) }
  return { operator: operator as Operator, text: value.slice(colon + 1) }
}

/** Everything found wrong, sorted by the order in which it is reported. */
interface Complaints {
  readonly tooMany: string[]
  readonly invalid: string[]
  readonly unknown: string[]
  readonly refused: string[]
}

/**
 * Reads the parameters of a filter-style endpoint. Throws `invalid_parameter` with one message per offending value, of
 * unknown names as well: names repeated too often first, then invalid values in the order of the query string, unknown names last. A value that has
 * the right form but cannot exist is reported alone, and only when nothing else is wrong.
 */
export function parseQuery<P extends Parameters>(
  query: QueryParameters,
  parameters: P,
  settings: QuerySettings,
): Filters<P> {
  return readFilters(query, parameters, settings, false)
}

/**
 * The same for the endpoints that report unknown names and invalid values in their order, refuse values of more than two
 * pieces, and take an order that is given twice, or with an operator, for none.
 */
export function parseExactQuery<P extends Parameters>(
  query: QueryParameters,
  parameters: P,
  settings: QuerySettings,
): Filters<P> {
  const filters = readFilters(query, parameters, settings, true)
  const orders = query.find(({ name }) => name === 'order')?.values ?? []
  return orders.length > 1 || orders[0]?.includes(':') ? { ...filters, order: nothing } : filters
}

function readFilters<P extends Parameters>(
  query: QueryParameters,
  parameters: P,
  settings: QuerySettings,
  exact: boolean,
): Filters<P> {
  const filters: Record<string, readonly Filter<unknown>[]> = {}
  for (const name in parameters) filters[name] = nothing
  if (query.length === 0) return filters as Filters<P>
  const invalid: string[] = []
  const complaints: Complaints = { tooMany: [], invalid, unknown: exact ? invalid : [], refused: [] }
  for (const { name, values } of query) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (values.length > settings.maxRepeatedParameters) complaints.tooMany.push(tooMany(name, values.length, settings))
    else if (parameter === undefined) complaints.unknown.push(...values.map(() => `Unknown query parameter: ${name}`))
    else filters[name] = parseValues(values, parameter, settings, complaints, exact)
  }
  assertNothingWrong(complaints, exact)
  return filters as Filters<P>
}

function parseValues(
  values: readonly string[],
  parameter: AnyParameter,
  settings: QuerySettings,
  complaints: Complaints,
  exact: boolean,
): Filter<unknown>[] {
  const filters: Filter<unknown>[] = []
  for (const given of values) {
    const { operator, text } = splitOperator(given)
    const isWhole = !exact || given.indexOf(':') === given.lastIndexOf(':')
    const accepted = isWhole && operator !== undefined && text !== '' && parameter.operators.includes(operator)
    const value = accepted ? parameter.parse(text, settings) : undefined
    if (value instanceof Refusal) complaints.refused.push(value.message)
    else if (!accepted || value === undefined) complaints.invalid.push(`Invalid parameter: ${parameter.name}`)
    else filters.push({ operator, value })
  }
  return filters
}

function tooMany(name: string, count: number, settings: QuerySettings): string {
  const rule = 'Parameter values count exceeds maximum number allowed'
  return `${rule}: ${name} count: ${count} max: ${settings.maxRepeatedParameters}`
}

function assertNothingWrong({ tooMany, invalid, unknown, refused }: Complaints, exact: boolean): void {
  const messages = [...tooMany, ...invalid, ...(exact ? [] : unknown)]
  if (messages.length > 0) throw invalidParameters(messages)
  const [first] = refused
  if (first !== undefined) throw invalidParameters([first])
}
