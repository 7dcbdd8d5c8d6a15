import { text } from '#queries/common/object-schema.ts'

export const entityId = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', example: '0.0.1001' }
export const entityIdOrNull = { ...entityId, nullable: true }
export const timestamp = { type: 'string', example: '1234567890.000000001' }
export const timestampOrNull = { ...timestamp, nullable: true }
export const amount = { type: 'integer', format: 'int64' }
export const key = {
  type: 'object',
  nullable: true,
  properties: { _type: { type: 'string', enum: ['ECDSA_SECP256K1', 'ED25519', 'ProtobufEncoded'] }, key: text },
}
