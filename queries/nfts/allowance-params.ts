import { accountPath } from '#queries/common/account-path.ts'
import { boundEntityParameter, boundLimitParameter, boundOrderParameter } from '#queries/common/bound-parameters.ts'
import { type ColumnSelection, hasOperator, rangeOfColumns } from '#queries/common/column-bounds.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import { combineRange } from '#queries/common/integer-range.ts'
import type { Filter, Parameter } from '#queries/common/parameters.ts'

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

export const allowancePageDefault = 25

export const allowanceParameters = {
  'account.id': boundEntityParameter({
    name: 'account.id',
    description: 'Only approvals whose other account has an id that compares so.',
    most: { field: 'accountIds', count: 2 },
  }),
  limit: boundLimitParameter({ byDefault: allowancePageDefault, max: 100 }),
  order: boundOrderParameter('asc'),
  owner: ownerParameter,
  'token.id': boundEntityParameter({
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

/** The pairs that two columns leave, refused in the words of family B where they don't fit each other. */
export function selectBoundPairs(first: PairColumn, second: PairColumn): ColumnSelection {
  if (first.filters.length === 0 && second.filters.length > 0)
    refuse(`${second.name} parameter must have ${first.name} present`)
  assertColumn(first)
  assertColumn(second)
  assertNotReversed(first)
  const isFixed = hasOperator(first.filters, 'eq')
  if (isFixed) assertNotReversed(second)
  if (hasOperator(second.filters, 'gt', 'gte') && !isFixed && !hasOperator(first.filters, 'gte'))
    refuse(`Requires the presence of an gte or eq ${first.name} parameter`)
  if (hasOperator(second.filters, 'lt', 'lte') && !isFixed && !hasOperator(first.filters, 'lte'))
    refuse(`Requires the presence of an lte or eq ${first.name} parameter`)
  return rangeOfColumns(first, second)
}

const sides: readonly (readonly Filter<bigint>['operator'][])[] = [['gt', 'gte'], ['lt', 'lte'], ['eq']]

function assertColumn({ name, filters }: PairColumn): void {
  if (hasOperator(filters, 'ne')) refuse(`Unsupported range operator ne for ${name}`)
  for (const side of sides)
    if (filters.filter(({ operator }) => side.includes(operator)).length > 1)
      refuse(`Only one range operator from [${side.join(', ')}] is allowed for the given parameter for ${name}`)
  if (filters.length > 1 && hasOperator(filters, 'eq')) refuse(`Can't support both range and equal for ${name}`)
}

/** Of the first column, and of the second where the first has one value: else its bounds belong to different ones. */
function assertNotReversed({ name, filters }: PairColumn): void {
  const { lower, upper } = combineRange(filters)
  if (lower > upper) refuse(`Invalid range provided for ${name}`)
}

function refuse(message: string): never {
  throw invalidParameters([message])
}
