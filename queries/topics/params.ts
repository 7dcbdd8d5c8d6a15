import { parseEntityNumber } from '#queries/common/entity-id-parameter.ts'
import type { Parameter } from '#queries/common/parameters.ts'
import { allOperators, limitParameter, orderParameter, parseInteger, Refusal } from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { maxInt64, parseLedgerTime } from '#src/domain/ledger-time.ts'

/** How the contents of a message are written. */
export type MessageEncoding = 'base64' | 'utf8'

const encodings = new Map<string, MessageEncoding>([
  ['base64', 'base64'],
  ['utf-8', 'utf8'],
  ['utf8', 'utf8'],
])

const encodingParameter: Parameter<MessageEncoding> = {
  name: 'encoding',
  description: 'How the contents are written, in any case. The last of repeated values counts.',
  schema: { type: 'string', enum: [...encodings.keys()], default: 'base64' },
  operators: allOperators,
  repeatable: false,
  parse: (text) => encodings.get(text.toLowerCase()),
}

const sequenceNumberParameter: Parameter<bigint> = {
  name: 'sequencenumber',
  description: 'Only messages whose number compares so; all values apply.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?|ne):)?\\d{1,19}$' },
  example: 'gte:1',
  operators: allOperators,
  repeatable: true,
  parse: (text) => parseInteger(text, 1n, maxInt64),
}

export const messageParameters = {
  encoding: encodingParameter,
  limit: limitParameter(),
  order: orderParameter('asc'),
  sequencenumber: sequenceNumberParameter,
  timestamp: timestampParameter('Only messages of these times; all values apply.'),
}

const numberForms = {
  description: 'Topic: a number, realm.number or shard.realm.number',
  schema: { type: 'string', pattern: '^(\\d{1,4}\\.)?(\\d{1,5}\\.)?\\d{1,12}$' },
} as const

const notRefused: PathParameter<bigint>['parse'] = (text, settings) => {
  const id = parseEntityNumber(text, settings)
  return id instanceof Refusal ? undefined : id
}

export const topicPath = { id: { ...numberForms, parse: notRefused } satisfies PathParameter<bigint> }

export const messagesPath = {
  topicId: { ...numberForms, named: 'topic.id', parse: notRefused } satisfies PathParameter<bigint>,
}

export const messagePath = {
  /** Here a number that cannot be an entity's is refused in words of its own. */
  topicId: { ...numberForms, named: 'topic.id', parse: parseEntityNumber } satisfies PathParameter<bigint>,
  sequencenumber: {
    description: 'Number of the message in its topic, from 1',
    schema: { type: 'integer', format: 'int64', minimum: 1 },
    parse: (text) => parseInteger(text, 1n, maxInt64),
  } satisfies PathParameter<bigint>,
}

export const messageTimePath = {
  consensus_timestamp: {
    description: 'Consensus time of the message, seconds.nanoseconds',
    schema: { type: 'string', pattern: '^\\d{1,10}(\\.\\d{1,9})?$' },
    parse: (text) => parseLedgerTime(text),
  } satisfies PathParameter<bigint>,
}
