import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import type { Filter, Operator } from '#queries/common/parameters.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

export interface AccountCondition {
  /** The account must be one of these; undefined when they are not known. */
  readonly oneOf: readonly bigint[] | undefined
  /** Conditions that the same account must meet, and every one of a set does. */
  readonly comparisons: readonly Filter<bigint>[]
}

/** An address stands for no number: it adds nothing to a set, and compares with nothing. */
export function accountCondition(filters: readonly Filter<EntityReference>[]): AccountCondition | 'impossible' {
  const oneOf = new Set<bigint>()
  const comparisons: Filter<bigint>[] = []
  let hasSet = false
  for (const { operator, value } of filters) {
    if (operator === 'eq') {
      hasSet = true
      if (value.kind === 'id') oneOf.add(value.id)
    } else if (value.kind === 'id') comparisons.push({ operator, value: value.id })
    else return 'impossible'
  }
  if (!hasSet) return { oneOf: undefined, comparisons }
  const possible = [...oneOf].filter((account) => meets(account, comparisons))
  return possible.length === 0 ? 'impossible' : { oneOf: possible, comparisons: [] }
}

export function meets(account: bigint, comparisons: readonly Filter<bigint>[]): boolean {
  return comparisons.every(({ operator, value }) => compares[operator](account, value))
}

const compares: Readonly<Record<Operator, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}

/** Inclusive bounds that hold all numbers which meet the comparisons, and perhaps a few more. */
export function boundsOf(comparisons: readonly Filter<bigint>[]): { readonly lower: bigint; readonly upper: bigint } {
  let lower = minInt64
  let upper = maxInt64
  for (const { operator, value } of comparisons) {
    if ((operator === 'gt' || operator === 'gte') && value > lower) lower = value
    if ((operator === 'lt' || operator === 'lte') && value < upper) upper = value
  }
  return { lower, upper }
}
