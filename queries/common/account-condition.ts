import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { type Selection, selectionOf, valuesOf } from '#queries/common/range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

export interface AccountCondition {
  /** The account must be one of these; undefined when they are not known. */
  readonly oneOf: readonly bigint[] | undefined
  /** What the same account must be, and every one of a set is. */
  readonly range: Selection
}

/** An address stands for no number: it adds nothing to a set, and compares with nothing. */
export function accountCondition(filters: readonly Filter<EntityReference>[]): AccountCondition | 'impossible' {
  const numbers: Filter<bigint>[] = []
  for (const { operator, value } of filters)
    if (value.kind === 'id') numbers.push({ operator, value: value.id })
    else if (operator !== 'eq') return 'impossible'
  const range = selectionOf(numbers, minInt64)
  if (filters.every(({ operator }) => operator !== 'eq')) return { oneOf: undefined, range }
  const oneOf = valuesOf(range, 'asc') ?? []
  return oneOf.length === 0 ? 'impossible' : { oneOf, range }
}
