import { parseEntityNumber } from '#queries/common/entity-id-parameter.ts'
import type { Parameter } from '#queries/common/parameters.ts'
import { Refusal, rangeAndEqual } from '#queries/common/parameters.ts'
import {
  choiceParameterOfB,
  limitParameterOfB,
  numberParameterOfB,
  orderParameterOfB,
} from '#queries/common/parameters-of-b.ts'

const maxInt32 = 2_147_483_647

const fileIdParameter: Parameter<bigint> = {
  name: 'file.id',
  description: 'Entity id of the address book file, 101 or 102; 102 unless given.',
  schema: { type: 'string', pattern: '^(eq:)?(\\d{1,4}\\.)?(\\d{1,5}\\.)?\\d{1,12}$' },
  operators: rangeAndEqual,
  repeatable: false,
  parse: (text, settings) => {
    const id = parseEntityNumber(text, settings)
    return id instanceof Refusal ? undefined : id
  },
}

export const nodeParameters = {
  'file.id': fileIdParameter,
  'node.id': {
    ...numberParameterOfB({
      name: 'node.id',
      description: 'Only nodes with these numbers; values without operator form a set.',
      most: { field: 'nodeIds', count: 100 },
    }),
    operators: rangeAndEqual,
  },
  // Cut down to the maximum, unlike all others of this dialect.
  limit: {
    ...limitParameterOfB({ byDefault: 10, max: maxInt32, cutTo: 25 }),
    description: 'Most rows, up to 25.',
  },
  order: orderParameterOfB('asc'),
}

/** In the order of their numbers, which begin with 1. */
export const endpointKinds = ['BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY'] as const

export const registeredNodeParameters = {
  'registerednode.id': {
    ...numberParameterOfB({
      name: 'registerednode.id',
      description: 'Only registered nodes with these numbers: one value, or bounds.',
      most: { field: 'registeredNodeId', count: 2 },
    }),
    operators: rangeAndEqual,
  },
  limit: limitParameterOfB(),
  order: orderParameterOfB('asc'),
  type: choiceParameterOfB('type', endpointKinds, 'Only nodes with an endpoint of this kind.'),
}
