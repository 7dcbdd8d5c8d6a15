import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const text = { type: 'string' }
const nullableText = { ...text, nullable: true }
const entityId = { ...text, nullable: true, example: '0.0.1001' }
const timestamp = { ...text, example: '1234567890.000000001' }
const number = { type: 'integer', format: 'int64', nullable: true }
const hex = { ...text, description: '0x and hex digits' }
const nullableHex = { ...hex, nullable: true }

const authorizations = {
  type: 'array',
  description: 'Of Ethereum transactions',
  items: objectSchema(
    { address: hex, chain_id: hex, nonce: number, r: hex, s: hex, y_parity: number },
    { title: 'Authorization' },
  ),
}

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
  access_list: nullableHex,
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
  transaction_index: number,
  type: number,
  v: number,
}

const optional = ['authorization_list']

function list(name: string, item: object, title: string) {
  return objectSchema({ [name]: { type: 'array', items: item }, links: linksSchema }, { title })
}

const shortResultSchema = objectSchema(callProperties, { title: 'ContractResult' })
const resultSchema = objectSchema(properties, { title: 'ContractResultInBlock', optional })

export const shortResultListSchema = list('results', shortResultSchema, 'ContractResultList')
export const resultListSchema = list('results', resultSchema, 'ContractResultInBlockList')

const logSchema = objectSchema(
  { address: hex, bloom: hex, contract_id: entityId, data: hex, index: number, topics: { type: 'array', items: hex } },
  { title: 'ContractResultLog' },
)

const stateChangeSchema = objectSchema(
  { address: hex, contract_id: entityId, slot: hex, value_read: hex, value_written: nullableHex },
  { title: 'ContractStateChange' },
)

export const resultDetailSchema = objectSchema(
  {
    ...properties,
    logs: { type: 'array', items: logSchema },
    state_changes: { type: 'array', items: stateChangeSchema },
  },
  { title: 'ContractResultDetail', optional },
)

const actionSchema = objectSchema(
  {
    call_depth: number,
    call_operation_type: text,
    call_type: text,
    caller: entityId,
    caller_type: nullableText,
    from: nullableHex,
    gas: number,
    gas_used: number,
    index: number,
    input: nullableHex,
    recipient: entityId,
    recipient_type: nullableText,
    result_data: nullableHex,
    result_data_type: text,
    timestamp,
    to: nullableHex,
    value: number,
  },
  { title: 'ContractAction' },
)

export const actionListSchema = list('actions', actionSchema, 'ContractActionList')
