import { objectSchema, text } from '#queries/common/object-schema.ts'

const entityId = { ...text, nullable: true, example: '0.0.1001' }
const timestamp = { ...text, nullable: true, example: '1234567890.000000001' }
const number = { type: 'integer', format: 'int64', nullable: true }
const hex = { ...text, description: '0x and hex digits' }

const properties = {
  admin_key: { ...objectSchema({ _type: text, key: text }), nullable: true },
  auto_renew_account: entityId,
  auto_renew_period: number,
  contract_id: entityId,
  created_timestamp: timestamp,
  deleted: { type: 'boolean', nullable: true },
  evm_address: hex,
  expiration_timestamp: timestamp,
  file_id: entityId,
  max_automatic_token_associations: { ...number, format: 'int32' },
  memo: text,
  nonce: number,
  obtainer_id: entityId,
  permanent_removal: { type: 'boolean', nullable: true },
  proxy_account_id: entityId,
  timestamp: objectSchema({ from: timestamp, to: timestamp }, { title: 'ContractValidity' }),
}

export const listedContractSchema = objectSchema(properties, { title: 'Contract' })

export const contractSchema = objectSchema(
  { ...properties, bytecode: hex, runtime_bytecode: hex },
  { title: 'ContractDetail' },
)

export const slotSchema = objectSchema(
  { address: hex, contract_id: entityId, slot: hex, timestamp: text, value: hex },
  { title: 'ContractStateSlot' },
)
