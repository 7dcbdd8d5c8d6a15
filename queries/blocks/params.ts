import type { Parameter } from '#queries/common/parameters.ts'
import { limitParameter, orderParameter, rangeAndEqual } from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

/** A block number: decimal, or hex after 0x, up to 2^63-1. Files of test networks may give any that 64 bits hold. */
export function parseBlockNumber(text: string): bigint | undefined {
  if (!/^(?:-?\d{1,30}|0x[0-9a-fA-F]{1,30})$/.test(text)) return undefined
  const number = BigInt(text)
  return number > maxInt64 || number < minInt64 ? undefined : number
}

const blockNumberParameter: Parameter<bigint> = {
  name: 'block.number',
  description: 'Only blocks whose number compares so; decimal or hex with 0x.',
  schema: { type: 'string', pattern: '^((eq|gt|gte|lt|lte):)?(-?\\d{1,19}|0x[0-9a-fA-F]{1,16})$' },
  example: 'gte:1000',
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

/** What the path of a block names: its number, or lower-case hex digits that its hash begins with. */
type BlockKey = bigint | { readonly digits: string }

const hashForm = /^(?:0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{96})$/

const blockKey: PathParameter<BlockKey> = {
  description: 'Decimal number, or the first 64 or all 96 hex digits of the hash',
  schema: { type: 'string' },
  parse: (text) => {
    const digits = hashForm.exec(text)?.[1]
    if (digits !== undefined) return { digits: digits.toLowerCase() }
    return /^-?\d{1,19}$/.test(text) ? parseBlockNumber(text) : undefined
  },
}

export const blockPath = { hashOrNumber: blockKey }
