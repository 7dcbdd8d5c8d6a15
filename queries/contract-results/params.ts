import { parseBlockNumber } from '#queries/blocks/params.ts'
import { type EntityReference, entityIdParameter } from '#queries/common/entity-id-parameter.ts'
import { invalidParameters } from '#queries/common/errors.ts'
import {
  booleanParameter,
  limitParameter,
  orderParameter,
  type Parameter,
  parseInteger,
} from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { timestampParameter } from '#queries/common/timestamp-parameter.ts'
import { nonceParameter } from '#queries/transactions/params.ts'
import { parseTransactionKey, wrongTransactionId } from '#queries/transactions/transaction-key.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'

const hashForm = /^(?:0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{96})$/
const maxIndex = 2_147_483_647n

const blockHashParameter: Parameter<string> = {
  name: 'block.hash',
  description:
    'Only results in the block whose hash begins so; 64 or all 96 hex digits. The last of repeated values counts.',
  schema: { type: 'string', pattern: '^(eq:)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$' },
  operators: ['eq'],
  repeatable: false,
  parse: (text) => hashForm.exec(text)?.[1]?.toLowerCase(),
}

const blockNumberParameter: Parameter<bigint> = {
  name: 'block.number',
  description: 'Only results in this block; decimal or hex with 0x. The last of repeated values counts.',
  schema: { type: 'string', pattern: '^(eq:)?(\\d{1,19}|0x[0-9a-fA-F]{1,16})$' },
  operators: ['eq'],
  repeatable: false,
  parse: parseBlockNumber,
}

const transactionIndexParameter: Parameter<number> = {
  name: 'transaction.index',
  description: 'Only results of transactions at these places in the block, which has to be given.',
  schema: { type: 'integer', format: 'int32', minimum: 0 },
  operators: ['eq'],
  repeatable: true,
  parse: (text) => {
    const index = parseInteger(text, 0n, maxIndex)
    return index === undefined ? undefined : Number(index)
  },
}

const hbarParameter = booleanParameter(
  'hbar',
  'Whether amounts and gas prices are tinybars; otherwise they are weibars. True unless given.',
)

const shardedAddressForm = /\.[0-9a-fA-F]{40}$/
const anySender = entityIdParameter('from', 'Only results of messages from these senders; equal values form a set.')

/** An address stands alone here, without shard and realm. */
const senderParameter: Parameter<EntityReference> = {
  ...anySender,
  parse: (text, settings) => (shardedAddressForm.test(text) ? undefined : anySender.parse(text, settings)),
}

export const resultListParameters = {
  'block.hash': blockHashParameter,
  'block.number': blockNumberParameter,
  from: senderParameter,
  hbar: hbarParameter,
  internal: booleanParameter(
    'internal',
    'Also results of transactions that the network made itself. False unless given.',
  ),
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: timestampParameter('Only results whose consensus time compares so; equal values form a set.'),
  'transaction.index': transactionIndexParameter,
}

export const resultDetailParameters = { hbar: hbarParameter, nonce: nonceParameter }
export const timedDetailParameters = { hbar: hbarParameter }

/** A number of 0 or more that no place in a trace can be: refused once the transaction is found, as established clients see it. */
export const noPlace = 'no place'

const actionIndexParameter: Parameter<bigint | typeof noPlace> = {
  name: 'index',
  description: 'Only calls whose place in the trace compares so.',
  schema: { type: 'string', pattern: '^((eq|gte?|lte?):)?\\d{1,10}$' },
  operators: ['eq', 'gt', 'gte', 'lt', 'lte'],
  repeatable: true,
  parse: (text) => parseInteger(text, 0n, maxIndex) ?? (Number(text) >= 0 && text.trim() !== '' ? noPlace : undefined),
}

export const actionParameters = { index: actionIndexParameter, limit: limitParameter(), order: orderParameter('asc') }

/** What the path of a result names: a transaction's id, or its hash as the EVM knows it. */
export type ResultKey =
  | { readonly kind: 'id'; readonly payer: bigint; readonly validStart: bigint }
  | { readonly kind: 'hash'; readonly hash: Buffer }

const evmHashForm = /^(?:0x)?([0-9a-fA-F]{64})$/

const resultKey: PathParameter<ResultKey> = {
  description:
    'shard.realm.num-sss-nnn, or the Ethereum hash, of others the first 32 bytes of the hash, as 64 hex digits',
  schema: { type: 'string' },
  parse: (text) => {
    const digits = evmHashForm.exec(text)?.[1]
    if (digits !== undefined) return { kind: 'hash', hash: Buffer.from(digits, 'hex') }
    const key = parseTransactionKey(text)
    return 'kind' in key && key.kind === 'id' ? key : wrongTransactionId
  },
}

export const resultPath = { transactionIdOrHash: resultKey }

export const resultTimePath: PathParameter<bigint> = {
  description: 'Consensus time as seconds.nanoseconds',
  schema: { type: 'string' },
  parse: parseLedgerTime,
}

/** Given several times, or where `always`, a wrong hbar is complained about in words of its own. */
export function assertHbar(query: QueryParameters, { always = false } = {}): void {
  const values = query.find(({ name }) => name === 'hbar')?.values ?? []
  const isRight = values.length === 1 && /^(eq:)?(true|false)$/i.test(values[0]!)
  if (values.length > 1 || (always && values.length === 1 && !isRight))
    throw invalidParameters([`Invalid hbar parameter value: ${values.join(',')}. Must be 'true' or 'false'`])
}
