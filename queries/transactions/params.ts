import { entityIdParameter, parseEntityNumber } from '#queries/common/entity-id-parameter.ts'
import type { Parameter } from '#queries/common/parameters.ts'
import {
  allOperators,
  booleanParameter,
  limitParameter,
  orderParameter,
  parseInteger,
} from '#queries/common/parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { transactionType, transactionTypeNames } from '#src/domain/transaction-types.ts'

export type Sign = 'credit' | 'debit'

/** The transaction types that a name stands for. */
export type TypeChoice = { readonly kind: 'numbers'; readonly types: readonly number[] } | { readonly kind: 'unnamed' }

const maxNonce = 2_147_483_647n

/** `NODE` stands for the types that create, change and delete a node. */
const nodeTypes = [transactionType.nodeCreate, transactionType.nodeUpdate, transactionType.nodeDelete]

const typesByName = new Map<string, TypeChoice>([
  ...Object.entries(transactionTypeNames).map(
    ([number, name]) => [name, { kind: 'numbers', types: [Number(number)] }] as [string, TypeChoice],
  ),
  ['NODE', { kind: 'numbers', types: nodeTypes }],
  ['UNKNOWN', { kind: 'unnamed' }],
])

export function isNamedType(type: number): boolean {
  return Object.hasOwn(transactionTypeNames, type)
}

function oneOf<T extends string>(name: string, values: readonly T[], description: string): Parameter<T> {
  return {
    name,
    description,
    schema: { type: 'string', enum: values },
    operators: allOperators,
    repeatable: true,
    parse: (text) => {
      const lower = text.toLowerCase()
      return values.find((value) => value === lower)
    },
  }
}

const transactionTypeParameter: Parameter<TypeChoice> = {
  name: 'transactiontype',
  description:
    'Only transactions of this type, in any case; repeated values form a set. UNKNOWN are types without a name.',
  schema: { type: 'string', enum: [...typesByName.keys()].sort() },
  operators: allOperators,
  repeatable: true,
  parse: (text) => typesByName.get(text.toUpperCase()),
}

/** An extension: established clients do not ask for it. */
const tokenParameter: Parameter<bigint> = {
  name: 'token.id',
  description: 'Only transactions that move, create or change this token; repeated values form a set.',
  schema: { type: 'string', pattern: '^(\\d{1,4}\\.)?(\\d{1,5}\\.)?\\d{1,12}$' },
  operators: ['eq'],
  repeatable: true,
  parse: (text, settings) => parseEntityNumber(text, settings),
}

export const listParameters = {
  'account.id': entityIdParameter(
    'account.id',
    'Only transactions that this account pays for or that move its hbars or fungible tokens; equal values form a set.',
  ),
  limit: limitParameter(),
  order: orderParameter('desc'),
  result: oneOf(
    'result',
    ['success', 'fail'],
    'Only transactions that succeeded, or that failed. The last of repeated values counts.',
  ),
  timestamp: timestampParameter('Only transactions whose consensus time compares so; bounds are combined.'),
  'token.id': tokenParameter,
  transactiontype: transactionTypeParameter,
  type: oneOf(
    'type',
    ['credit', 'debit'],
    'Only transactions with a transfer of this direction, of the account where one is given.',
  ),
}

const nonceParameter: Parameter<number> = {
  name: 'nonce',
  description: 'Only the transaction with this nonce: 0 for the one that the user sent, above 0 for its children.',
  schema: { type: 'integer', format: 'int32', minimum: 0 },
  operators: ['eq'],
  repeatable: false,
  parse: (text) => {
    const nonce = parseInteger(text, 0n, maxNonce)
    return nonce === undefined ? undefined : Number(nonce)
  },
}

export const detailParameters = {
  nonce: nonceParameter,
  scheduled: booleanParameter(
    'scheduled',
    'Only the transaction that ran from a schedule, or only the one that did not.',
  ),
}
