import { accountPath } from '#queries/common/account-path.ts'
import { type ColumnSelection, hasOperator, rangeOfColumns } from '#queries/common/column-bounds.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import type { Filter, Operator, Parameter } from '#queries/common/parameters.ts'
import { entityParameterOfB, limitParameterOfB, orderParameterOfB } from '#queries/common/parameters-of-b.ts'
import { lastBounds, selectionOf } from '#queries/common/range.ts'

const truths = new Set(['true', 'on', 'yes', '1'])
const untruths = new Set(['false', 'off', 'no', '0'])

const ownerParameter: Parameter<boolean> = {
  name: 'owner',
  description: 'Whether the account of the path is the owner, and account.id the spender, or the other way round.',
  schema: { type: 'boolean', default: true },
  operators: [],
  repeatable: false,
  parse: (text) => {
    const word = text.toLowerCase()
    return truths.has(word) ? true : untruths.has(word) ? false : undefined
  },
}

export const allowanceParameters = {
  'account.id': entityParameterOfB({
    name: 'account.id',
    description: 'Only approvals whose other account has an id that compares so.',
    most: { field: 'accountIds', count: 2 },
  }),
  limit: limitParameterOfB(),
  order: orderParameterOfB('asc'),
  owner: ownerParameter,
  'token.id': entityParameterOfB({
    name: 'token.id',
    description: 'Only approvals for tokens whose id compares so; needs account.id.',
    most: { field: 'tokenIds', count: 2 },
  }),
}

export const allowancePath = { id: accountPath('B') }

interface PairColumn {
  readonly name: string
  readonly filters: readonly Filter<bigint>[]
}

/** The pairs that two columns leave, refused in the words and in the order of dialect B where they don't fit each other. */
export function selectPairsOfB(first: PairColumn, second: PairColumn): ColumnSelection {
  if (isReversed(first)) refuse(`Invalid range provided for ${first.name}`)
  if (!hasOperator(first.filters, ...lower, ...upper) && hasOperator(second.filters, ...lower, ...upper))
    refuse(`${second.name} parameter must have ${first.name} present`)
  assertColumn(first)
  assertColumn(second)
  // Beside a range of the first column, the bounds of the second belong to different values of it.
  const isRange = hasOperator(first.filters, ...lower) && hasOperator(first.filters, ...upper)
  if (!isRange && isReversed(second)) refuse(`Invalid range provided for ${second.name}`)
  if (hasOperator(second.filters, 'lt', 'lte') && !hasOperator(first.filters, 'eq', 'lte'))
    refuse(`Requires the presence of an lte or eq ${first.name} parameter`)
  if (hasOperator(second.filters, 'gt', 'gte') && !hasOperator(first.filters, 'eq', 'gte'))
    refuse(`Requires the presence of an gte or eq ${first.name} parameter`)
  return rangeOfColumns(first, second)
}

/** Where a value to be equalled counts as a lower bound. */
const lower: readonly Operator[] = ['eq', 'gt', 'gte']
const upper: readonly Operator[] = ['lt', 'lte']

const sides: readonly (readonly Filter<bigint>['operator'][])[] = [['gt', 'gte'], ['lt', 'lte'], ['eq']]

function assertColumn({ name, filters }: PairColumn): void {
  if (hasOperator(filters, 'ne')) refuse(`Unsupported range operator ne for ${name}`)
  for (const side of sides)
    if (filters.filter(({ operator }) => side.includes(operator)).length > 1)
      refuse(`Only one range operator from [${side.join(', ')}] is allowed for the given parameter for ${name}`)
  if (filters.length > 1 && hasOperator(filters, 'eq')) refuse(`Can't support both range and equal for ${name}`)
}

/** By the later of several bounds on one side. */
function isReversed({ filters }: PairColumn): boolean {
  const { from, to } = lastBounds(filters)
  if (from === undefined || to === undefined) return false
  const { upper, equal, lower } = selectionOf([from, to])
  return (equal[0] ?? lower) > upper
}

function refuse(message: string): never {
  throw invalidParameters([message])
}
