import { accountPath } from '#queries/common/account-path.ts'
import type { Parameter } from '#queries/common/parameters.ts'
import { Refusal, rangeAndEqual } from '#queries/common/parameters.ts'
import {
  limitParameterOfB,
  numberParameterOfB,
  orderParameterOfB,
  timestampParameterOfB,
} from '#queries/common/parameters-of-b.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { digitsOfWord } from '#src/domain/evm-words.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'

/** Most values of a parameter that forms a set. */
const setMax = 100
const limit = limitParameterOfB()

export const hookParameters = {
  'hook.id': {
    ...numberParameterOfB({
      name: 'hook.id',
      description: 'Only hooks with these numbers; values without operator form a set.',
      most: { field: 'hookId', count: setMax },
    }),
    operators: rangeAndEqual,
  },
  limit,
  order: orderParameterOfB('desc'),
}

const keyForm = /^(?:0x)?([0-9a-fA-F]{1,64})$/

const keyParameter: Parameter<bigint> = {
  name: 'key',
  description: 'Only slots with these keys, in hex; values without operator form a set.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?):)?(0x)?[0-9a-fA-F]{1,64}$' },
  operators: rangeAndEqual,
  repeatable: true,
  most: { field: 'keys', count: setMax },
  parse: (text) => {
    const digits = keyForm.exec(text)?.[1]
    return digits === undefined ? undefined : BigInt(`0x${digits}`)
  },
  write: (key) => `0x${digitsOfWord(key)}`,
}

export const storageParameters = {
  key: keyParameter,
  limit,
  order: orderParameterOfB('asc'),
  timestamp: timestampParameterOfB('timestamps'),
}

export const keyMax = (1n << 256n) - 1n

const hookIdPath: PathParameter<bigint> = {
  description: 'Number of the hook among those of the account',
  schema: { type: 'integer', format: 'int64' },
  parse: (text) => {
    const id = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : undefined
    if (id === undefined || id > maxInt64 || id < minInt64) return undefined
    return id < 0n ? new Refusal('hookId must be greater than or equal to 0') : id
  },
}

export const ownerPath = { ownerId: accountPath('B') }
export const storagePath = { ownerId: accountPath('B'), hookId: hookIdPath }
