import { accountPath } from '#queries/common/account-path.ts'
import { entityIdParameter } from '#queries/common/entity-id-parameter.ts'
import {
  allOperators,
  limitParameter,
  orderParameter,
  type Parameter,
  parseInteger,
} from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { parseTokenId, tokenPath } from '#queries/tokens/params.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

const parseSerial = (text: string): bigint | undefined => parseInteger(text, 1n, maxInt64)

const serialParameter: Parameter<bigint> = {
  name: 'serialnumber',
  description: 'Only NFTs whose serial number compares so.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?|ne):)?\\d{1,19}$' },
  example: 'gte:1',
  operators: allOperators,
  repeatable: true,
  parse: parseSerial,
}

/** A token in number form, or by the address that its number makes. */
const tokenIdParameter: Parameter<bigint> = {
  ...entityIdParameter('token.id', 'Only NFTs of tokens whose id compares so.'),
  parse: parseTokenId,
}

const nftTokenPath: PathParameter<bigint> = { ...tokenPath, isToldAlone: true }

const serialPath: PathParameter<bigint> = {
  description: 'Serial number of the NFT',
  schema: { type: 'integer', format: 'int64', minimum: 1 },
  parse: parseSerial,
}

export const ofTokenPath = { tokenid: nftTokenPath }
export const nftPath = { tokenid: nftTokenPath, serialnumber: serialPath }
export const ofAccountPath = { idOrAliasOrEvmAddress: accountPath('A') }

const limit = limitParameter()
const order = orderParameter('desc')

export const tokenNftParameters = {
  'account.id': entityIdParameter('account.id', 'Only NFTs whose owner compares so.'),
  limit,
  order,
  serialnumber: serialParameter,
}

export const accountNftParameters = {
  limit,
  order,
  serialnumber: serialParameter,
  'spender.id': entityIdParameter(
    'spender.id',
    'Only NFTs that a spender whose id compares so may transfer; values without operator form a set.',
  ),
  'token.id': tokenIdParameter,
}

export const historyParameters = {
  limit,
  order,
  timestamp: timestampParameter('Only transactions whose consensus time compares so.'),
}
