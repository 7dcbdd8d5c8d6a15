import { listSchema } from '#queries/common/object-schema.ts'

const hex = { type: 'string', description: 'Hex digits, with or without 0x' }
const quantity = { type: 'string', nullable: true, description: 'Up to 16 hex digits, with or without 0x' }
const word = { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{64}$' }

export const addressSchema = { type: 'string', nullable: true, pattern: '^(0x)?[0-9a-fA-F]{40}$' }
export const amountSchema = { type: 'integer', format: 'int64', nullable: true, minimum: 0, default: 0 }

const slots = listSchema({ type: 'object', required: ['key', 'value'], properties: { key: word, value: word } }, 100)

export const stateOverridesSchema = {
  ...listSchema(
    {
      type: 'object',
      title: 'StateOverride',
      required: ['address'],
      properties: {
        address: { ...addressSchema, nullable: false },
        balance: { ...quantity, description: 'Tinybars as hex digits' },
        nonce: quantity,
        code: { ...hex, nullable: true },
        state: { ...slots, description: 'All slots that hold something; not beside state_diff' },
        state_diff: { ...slots, description: 'Slots that hold something else' },
      },
    },
    10,
  ),
  description: 'What the call takes for true of accounts, whatever the ledger says',
}

export const blockOverrideSchema = {
  type: 'object',
  nullable: true,
  description: 'What contracts see of the block that they run in',
  properties: { number: quantity, time: { ...quantity, description: 'Seconds as hex digits' } },
}

export const accessListSchema = {
  ...listSchema(
    {
      type: 'object',
      required: ['address'],
      properties: { address: { ...addressSchema, nullable: false }, storage_keys: { type: 'array', items: hex } },
    },
    1_000,
  ),
  description: 'What the call says that it will touch (EIP-2930): it costs gas beforehand, and less afterwards',
}

export const authorizationListSchema = {
  ...listSchema(
    {
      type: 'object',
      required: ['address'],
      properties: {
        address: { ...addressSchema, nullable: false },
        chain_id: hex,
        nonce: { type: 'integer', format: 'int64' },
        y_parity: hex,
        r: hex,
        s: hex,
      },
    },
    1_000,
  ),
  description: 'Signed words of accounts whose calls are to run other code (EIP-7702), in force while the call runs',
}
