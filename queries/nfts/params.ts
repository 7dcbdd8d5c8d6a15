import { accountPath } from '#queries/common/account-path.ts'
import { entityIdParameter } from '#queries/common/entity-id-parameter.ts'
import type { PagingColumn } from '#queries/common/links.ts'
import {
  allOperators,
  limitParameter,
  orderParameter,
  type Parameter,
  parseInteger,
} from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { parseTokenId, tokenPath } from '#queries/tokens/params.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
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

/** Paging by serial number: the next page begins beyond the last row's. */
export function serialColumn(last: bigint): PagingColumn {
  return {
    name: 'serialnumber',
    last: last.toString(),
    numberOf: (value) => parseInteger(splitOperator(value).text, 0n, maxInt64),
  }
}

/** A token in number form, or by the address that its number makes. */
const tokenIdParameter: Parameter<bigint> = {
  ...entityIdParameter('token.id', 'Only NFTs of tokens whose id compares so.'),
  parse: parseTokenId,
}

const shortHexForm = /^0x[0-9a-fA-F]{1,16}$/

/** Hex with 0x and less than 40 digits is a number, too: established clients are answered. */
const nftTokenPath: PathParameter<bigint> = {
  description: 'Token: a number, shard.realm.number, or an address made of its number',
  schema: { type: 'string' },
  isToldAlone: true,
  parse: (text, settings) =>
    shortHexForm.test(text)
      ? entityIdOf(settings.shard, settings.realm, BigInt(text))
      : tokenPath.parse(text, settings),
}

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
