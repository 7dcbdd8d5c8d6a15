import { accountBalanceParameter, publicKeyParameter } from '#queries/common/account-parameters.ts'
import { accountPath } from '#queries/common/account-path.ts'
import {
  entityIdParameter,
  parseEntityNumber,
  parseEvmAddress,
  parsePrefixedNumber,
} from '#queries/common/entity-id-parameter.ts'
import {
  allOperators,
  limitParameter,
  type Operator,
  orderParameter,
  type Parameter,
  Refusal,
} from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import type { QuerySettings } from '#queries/common/settings.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'

/** Tokens have no address but the one made of their number. */
export function parseTokenId(text: string, settings: QuerySettings): bigint | Refusal | undefined {
  const id = parseEntityNumber(text, settings)
  if (id !== undefined) return id
  const reference = parseEvmAddress(text, settings)
  return reference?.kind === 'id' ? reference.id : undefined
}

export const tokenPath: PathParameter<bigint> = {
  description: 'Token: a number, shard.realm.number, or the EVM address that stands for it',
  schema: { type: 'string' },
  parse: (text, settings) => {
    const id = parsePrefixedNumber(text, settings) ?? parseTokenId(text, settings)
    return id instanceof Refusal ? undefined : id
  },
}

function tokenIdParameter(description: string): Parameter<bigint> {
  return { ...entityIdParameter('token.id', description), parse: parseTokenId }
}

const nameBytesMin = 3
const nameBytesMax = 100

const nameParameter: Parameter<string> = {
  name: 'name',
  description: 'Only tokens whose name contains this, whatever the case: 3 to 100 bytes. Such a list has no next page.',
  schema: { type: 'string' },
  operators: ['eq'],
  repeatable: true,
  parse: (text) => {
    const bytes = Buffer.byteLength(text)
    return bytes < nameBytesMin || bytes > nameBytesMax ? undefined : text
  },
}

const typeNames = ['ALL', 'FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE']

/** Number of the type; undefined for all of them, whatever the operator. */
const typeParameter: Parameter<{ readonly type: bigint | undefined }> = {
  name: 'type',
  description:
    'Only tokens whose type compares so, in the order of the list: ne:FUNGIBLE_COMMON leaves those that are not. Of several all must hold.',
  schema: { type: 'string', enum: typeNames },
  operators: allOperators,
  repeatable: true,
  parse: (text) => {
    const place = typeNames.indexOf(text.toUpperCase())
    return place === -1 ? undefined : { type: place === 0 ? undefined : BigInt(place - 1) }
  },
}

export const tokenListParameters = {
  'account.id': {
    ...entityIdParameter('account.id', 'Only tokens that this account may hold.'),
    schema: { type: 'string', pattern: '^(\\d{1,4}\\.)?(\\d{1,5}\\.)?(\\d{1,12}|(0x)?[A-Fa-f0-9]{40})$' } as const,
    example: '0.0.1001',
  },
  limit: limitParameter(),
  name: nameParameter,
  order: orderParameter('asc'),
  publickey: publicKeyParameter('publickey', 'Only tokens that this key administers. The last of several counts.'),
  'token.id': tokenIdParameter('Only tokens whose id compares so; equal values form a set.'),
  type: typeParameter,
}

const atOrBefore: readonly Operator[] = ['eq', 'lt', 'lte']

export const tokenDetailParameters = {
  timestamp: {
    ...timestampParameter('The token as it was then; equal means at or before. The last of several counts.'),
    schema: { type: 'string', pattern: '^((eq|lte?):)?\\d{1,10}(\\.\\d{1,9})?$' } as const,
    example: 'lte:1234567890.000000001',
    operators: atOrBefore,
    repeatable: false,
  },
}

export const tokenDetailPath = { tokenid: tokenPath }

export const tokenBalanceParameters = {
  'account.balance': {
    ...accountBalanceParameter,
    description: 'Only accounts that hold so much of the token, in its smallest unit.',
  },
  'account.id': entityIdParameter(
    'account.id',
    'Only accounts whose id compares so; of several conditions all must hold.',
  ),
  'account.publickey': publicKeyParameter(
    'account.publickey',
    'Only accounts with this key. The last of several counts.',
  ),
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Balances of this time; equal means at or before.'),
}

export const accountTokenParameters = {
  limit: limitParameter(),
  order: orderParameter('asc'),
  'token.id': tokenIdParameter('Only tokens whose id compares so; equal values form a set.'),
}

export const accountTokensPath = { idOrAliasOrEvmAddress: accountPath('A') }
