import type { PagingColumn } from '#queries/common/links.ts'
import type { Parameter } from '#queries/common/parameters.ts'
import { limitParameter, orderParameter, rangeAndEqual } from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** A block number: decimal, or hex after 0x, up to 2^63-1. */
function parseBlockNumber(text: string): bigint | undefined {
  if (!/^(?:\d{1,30}|0x[0-9a-fA-F]{1,30})$/.test(text)) return undefined
  const number = BigInt(text)
  return number > maxInt64 ? undefined : number
}

const blockNumberParameter: Parameter<bigint> = {
  name: 'block.number',
  description: 'Only blocks whose number compares so; decimal or hex with 0x.',
  schema: { type: 'string', pattern: '^((eq|gt|gte|lt|lte):)?(\\d{1,19}|0x[0-9a-fA-F]{1,16})$' },
  operators: rangeAndEqual,
  repeatable: true,
  parse: parseBlockNumber,
}

export const listParameters = {
  'block.number': blockNumberParameter,
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Only blocks whose last consensus time compares so.'),
}

export function blockNumberColumn(last: bigint): PagingColumn {
  return {
    name: 'block.number',
    last: last.toString(),
    numberOf: (value) => parseBlockNumber(splitOperator(value).text),
  }
}
