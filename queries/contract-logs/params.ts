import { allOperators, limitParameter, orderParameter, type Parameter } from '#queries/common/parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { contractPath as anyContract } from '#queries/contracts/params.ts'
import { trimmedDigits } from '#src/domain/evm-words.ts'

const indexForm = /^\d{1,19}$/

function parseIndex(text: string): bigint | undefined {
  return indexForm.test(text) ? BigInt(text) : undefined
}

const indexParameter: Parameter<bigint> = {
  name: 'index',
  description: 'Only logs whose number in the block compares so, at the ends of the times asked for; needs timestamp.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?):)?\\d{1,10}$' },
  example: 'gte:1',
  operators: allOperators,
  repeatable: true,
  parse: parseIndex,
}

const topicForm = /^(?:0x)?([0-9a-fA-F]{1,64})$/

/** A topic as hex digits, without leading zero bytes. */
function topicParameter(position: number): Parameter<string> {
  return {
    name: `topic${position}`,
    description: `Only logs with one of these as topic ${position}; needs a timestamp, or a range of at most seven days.`,
    schema: { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{1,64}$' },
    operators: ['eq'],
    repeatable: true,
    parse: (text) => {
      const digits = topicForm.exec(text)?.[1]
      return digits === undefined ? undefined : trimmedDigits(digits.toLowerCase().padStart(64, '0'))
    },
  }
}

const hashForm = /^(?:0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{96})$/

const hashParameter: Parameter<string> = {
  name: 'transaction.hash',
  description: 'Only logs of this transaction: its Ethereum hash, or 64 or 96 hex digits of its hash.',
  schema: { type: 'string', pattern: '^(0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{96})$' },
  operators: ['eq'],
  repeatable: true,
  parse: (text) => hashForm.exec(text)?.[1]?.toLowerCase(),
}

/** Of the logs of one contract. */
export const contractParameters = {
  index: indexParameter,
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Only logs whose consensus time compares so.'),
  topic0: topicParameter(0),
  topic1: topicParameter(1),
  topic2: topicParameter(2),
  topic3: topicParameter(3),
}

export const allParameters = { ...contractParameters, 'transaction.hash': hashParameter }

export const contractPath = {
  contractid: { ...anyContract, description: 'Contract or token: a number, shard.realm.number or an EVM address' },
}
