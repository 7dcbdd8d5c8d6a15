import { hex as hexText, longZero } from '#projections/contract-results/render.ts'
import type { ActionRow } from '#projections/contract-results/schema.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { nullableText, text } from '#queries/common/object-schema.ts'
import { entityId, nullableHex, number, timestamp } from '#queries/contract-results/value-schemas.ts'
import { entityText, timeText } from '#src/domain/json-text.ts'

const callTypes = ['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM']
const operations = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2']
const resultTypes: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' }

/** A call. Entities are shown by the addresses that are made of their numbers. */
export const actionObject = defineObject<ActionRow>(
  {
    call_depth: [number, ({ depth }) => depth],
    call_operation_type: [text, ({ operation }) => nameText(operations[operation])],
    call_type: [text, ({ callType }) => nameText(callTypes[callType])],
    caller: [entityId, ({ caller }) => idOrNull(caller)],
    caller_type: [
      nullableText,
      ({ caller, callerIsContract }) => typeText(caller, callerIsContract === 1 ? 'CONTRACT' : 'ACCOUNT'),
    ],
    from: [nullableHex, ({ caller }) => longZero(caller)],
    gas: [number, ({ gas }) => gas],
    gas_used: [number, ({ gasUsed }) => gasUsed],
    index: [number, ({ index }) => index],
    input: [nullableHex, ({ input }) => `"${hexText(input)}"`],
    recipient: [entityId, (action) => idOrNull(recipientOf(action))],
    recipient_type: [
      nullableText,
      (action) => typeText(recipientOf(action), action.recipientAccount === null ? 'CONTRACT' : 'ACCOUNT'),
    ],
    result_data: [nullableHex, ({ resultData }) => `"${hexText(resultData)}"`],
    result_data_type: [text, ({ resultType }) => nameText(resultTypes[resultType])],
    timestamp: [timestamp, ({ time }) => timeText(time)],
    to: [
      nullableHex,
      (action) =>
        action.recipientAddress === null ? longZero(recipientOf(action)) : `"${hexText(action.recipientAddress)}"`,
    ],
    value: [number, ({ value }) => value],
  },
  { title: 'ContractAction' },
)

function recipientOf({ recipientAccount, recipientContract }: ActionRow): bigint | null {
  return recipientAccount ?? recipientContract
}

/** What is newer than our names has none. */
function nameText(name: string | undefined): string {
  return name === undefined ? 'null' : `"${name}"`
}

function typeText(id: bigint | null, type: 'ACCOUNT' | 'CONTRACT'): string {
  return id === null ? 'null' : `"${type}"`
}

function idOrNull(id: bigint | null): string {
  return id === null ? 'null' : entityText(id)
}
