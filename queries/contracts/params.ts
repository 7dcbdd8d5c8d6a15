import { type EntityReference, parseEntityNumber, parseEvmAddress } from '#queries/common/entity-id-parameter.ts'
import {
  allOperators,
  limitParameter,
  orderParameter,
  type Parameter,
  Refusal,
  rangeAndEqual,
} from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { digitsOfWord } from '#src/domain/evm-words.ts'

/** The contract of a path: a number need not be of one, an address is looked up. */
export const contractPath: PathParameter<EntityReference> = {
  description: 'Contract: a number, shard.realm.number, or an EVM address',
  schema: { type: 'string' },
  parse: (text, settings) => {
    const id = parseEntityNumber(text, settings)
    if (typeof id === 'bigint') return { kind: 'id', id }
    return id === undefined ? parseEvmAddress(text, settings) : undefined
  },
}

/** The same where a number that can't be is said to be one. */
export const contractPathInWords: PathParameter<EntityReference> = {
  ...contractPath,
  parse: (text, settings) => {
    const id = parseEntityNumber(text, settings)
    return id instanceof Refusal ? id : contractPath.parse(text, settings)
  },
}

const contractIdParameter: Parameter<EntityReference> = {
  name: 'contract.id',
  description: 'Only contracts whose id compares so; equal values, which may be addresses without 0x, form a set.',
  schema: {
    type: 'string',
    pattern: '^((ne|eq|gte?|lte?):)?(\\d{1,4}\\.)?(\\d{1,5}\\.)?(\\d{1,12}|[A-Fa-f0-9]{40})$',
  },
  example: 'gte:0.0.1001',
  operators: allOperators,
  repeatable: true,
  parse: (text, settings) => {
    const reference = text.startsWith('0x') ? undefined : contractPathInWords.parse(text, settings)
    return reference instanceof Refusal ? new Refusal('Invalid parameter: contractid') : reference
  },
  write: formatEntityId,
}

export const contractListParameters = {
  'contract.id': contractIdParameter,
  limit: limitParameter(),
  order: orderParameter('desc'),
}

export const contractDetailParameters = {
  timestamp: timestampParameter('Show the contract as it was: the newest version that was in force then.'),
}

const slotForm = /^(?:0x)?([0-9a-fA-F]{1,64})$/

const slotParameter: Parameter<bigint> = {
  name: 'slot',
  description: 'Only slots with these keys, in hex; equal values form a set.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?):)?(0x)?[0-9a-fA-F]{1,64}$' },
  operators: rangeAndEqual,
  repeatable: true,
  parse: (text) => {
    const digits = slotForm.exec(text)?.[1]
    return digits === undefined ? undefined : BigInt(`0x${digits}`)
  },
  write: (slot) => `0x${digitsOfWord(slot)}`,
}

export const stateParameters = {
  limit: limitParameter(),
  order: orderParameter('asc'),
  slot: slotParameter,
  timestamp: timestampParameter('Show the storage as it was; equal means at or before.'),
}
