import { invalidParameters } from '#queries/common/errors.ts'
import type { AnyParameter, Filter, Filters, Operator, Parameters } from '#queries/common/parameters.ts'
import { allOperators, Refusal } from '#queries/common/parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import type { LedgerError } from '#src/domain/errors.ts'

const nothing: readonly Filter<unknown>[] = []

/**
 * Reads the parameters of an endpoint of dialect B: names in their own case, unknown ones ignored, operators in any case. What
 * cannot be converted is reported first and alone, in the order in which the parameters are declared; then everything
 * that is too many or out of range, unless that counts as what cannot be converted.
 */
export function parseQueryOfB<P extends Parameters>(
  query: QueryParameters,
  parameters: P,
  settings: QuerySettings,
  unconvertible: (name: string) => LedgerError,
  isAlike = false,
): Filters<P> {
  const filters: Record<string, readonly Filter<unknown>[]> = {}
  for (const name in parameters) filters[name] = nothing
  if (query.length === 0) return filters as Filters<P>
  const refused: string[] = []
  for (const [name, parameter] of Object.entries(parameters)) {
    const values = given(query, parameter)
    filters[name] = values.flatMap((value) => {
      const filter = convert(value, parameter, settings)
      if (filter === undefined || (isAlike && filter instanceof Refusal)) throw unconvertible(parameter.name)
      if (filter instanceof Refusal) refused.push(filter.message)
      return filter instanceof Refusal ? [] : [filter]
    })
    const { most } = parameter
    if (most !== undefined && values.length > most.count) {
      if (isAlike) throw unconvertible(parameter.name)
      refused.push(`${most.field} size must be between 0 and ${most.count}`)
    }
  }
  if (refused.length > 0) throw invalidParameters(refused)
  return filters as Filters<P>
}

/** Values of a parameter. Of one that takes a single value the first counts, and an empty one counts as none. */
function given(query: QueryParameters, { name, repeatable }: AnyParameter): readonly string[] {
  const values = query.find((each) => each.name === name)?.values ?? []
  if (repeatable) return values
  return values[0] ? values.slice(0, 1) : []
}

function convert(
  value: string,
  parameter: AnyParameter,
  settings: QuerySettings,
): Filter<unknown> | Refusal | undefined {
  const { operators, parse } = parameter
  const split = operators.length === 0 ? { operator: 'eq' as const, text: value } : splitOperatorOfB(value)
  if (split === undefined || (operators.length > 0 && !operators.includes(split.operator))) return undefined
  const parsed = parse(split.text, settings)
  if (parsed === undefined || parsed instanceof Refusal) return parsed
  return { operator: split.operator, value: parsed }
}

/** Splits `op:value`, the operator in any case; `eq` without one. Undefined for more pieces, or an operator that there is not. */
export function splitOperatorOfB(value: string): { operator: Operator; text: string } | undefined {
  const colon = value.indexOf(':')
  if (colon === -1) return { operator: 'eq', text: value }
  const operator = allOperators.find((each) => each === value.slice(0, colon).toLowerCase())
  const text = value.slice(colon + 1)
  return operator === undefined || text.includes(':') ? undefined : { operator, text }
}
