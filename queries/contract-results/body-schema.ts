import { nullableText, objectSchema, text } from '#queries/common/object-schema.ts'
import { stateChangeObject } from '#queries/contract-results/render-state-changes.ts'
import { entityId, hex, nullableHex, number, timestamp } from '#queries/contract-results/value-schemas.ts'

const authorizations = {
  type: 'array',
  description: 'Of Ethereum transactions',
  items: objectSchema(
    { address: hex, chain_id: hex, nonce: number, r: hex, s: hex, y_parity: { ...text, enum: ['0x0', '0x1'] } },
    { title: 'Authorization' },
  ),
}

const accessList = {
  type: 'array',
  description: 'What an Ethereum transaction says that it will touch; empty for all others',
  items: objectSchema({ address: hex, storage_keys: { type: 'array', items: hex } }, { title: 'AccessListEntry' }),
}

const words = { type: 'array', items: hex }

/** One instruction of a trace. */
export const stepSchema = objectSchema(
  {
    depth: { type: 'integer', description: 'Of the frame; of a call, of the frame that it begins' },
    gas: { type: 'integer', format: 'int64', description: 'Left after it' },
    gas_cost: { type: 'integer', format: 'int64' },
    memory: words,
    op: { ...text, description: 'Empty where the network itself ran' },
    pc: { type: 'integer', description: 'Where the frame goes on, or stopped' },
    reason: { ...nullableText, description: 'Bytes of a revert' },
    stack: { ...words, description: 'Bottom first' },
    storage: { type: 'object', additionalProperties: hex, description: 'Slots touched so far' },
  },
  { title: 'Step' },
)

const callProperties = {
  address: nullableHex,
  amount: { ...number, description: 'Tinybars; weibars where the request says so' },
  bloom: hex,
  call_result: hex,
  contract_id: entityId,
  created_contract_ids: { type: 'array', items: text },
  error_message: nullableText,
  from: nullableHex,
  function_parameters: hex,
  gas_consumed: number,
  gas_limit: number,
  gas_used: number,
  hash: hex,
  timestamp,
  to: nullableHex,
}

const properties = {
  ...callProperties,
  access_list: accessList,
  authorization_list: authorizations,
  block_gas_used: number,
  block_hash: hex,
  block_number: number,
  chain_id: nullableHex,
  failed_initcode: nullableHex,
  gas_price: nullableHex,
  max_fee_per_gas: nullableHex,
  max_priority_fee_per_gas: nullableHex,
  nonce: number,
  r: nullableHex,
  result: text,
  s: nullableHex,
  status: { ...text, enum: ['0x0', '0x1'] },
  transaction_index: { ...number, description: 'Place among the transactions of the block that the EVM sees' },
  type: number,
  v: number,
}

const optional = ['authorization_list']

export const shortResultSchema = objectSchema(callProperties, { title: 'ContractResult' })
export const resultSchema = objectSchema(properties, { title: 'ContractResultInBlock', optional })

const logSchema = objectSchema(
  { address: hex, bloom: hex, contract_id: entityId, data: hex, index: number, topics: { type: 'array', items: hex } },
  { title: 'ContractResultLog' },
)

export const resultDetailSchema = objectSchema(
  {
    ...properties,
    logs: { type: 'array', items: logSchema },
    state_changes: { type: 'array', items: stateChangeObject.schema },
  },
  { title: 'ContractResultDetail', optional },
)
