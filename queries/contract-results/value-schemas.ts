import { text } from '#queries/common/object-schema.ts'

export const entityId = { ...text, nullable: true, example: '0.0.1001' }
export const timestamp = { ...text, example: '1234567890.000000001' }
export const number = { type: 'integer', format: 'int64', nullable: true }
export const hex = { ...text, description: '0x and hex digits' }
export const nullableHex = { ...hex, nullable: true }
