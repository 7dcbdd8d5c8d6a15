import { hex, longZero } from '#projections/contract-results/render.ts'
import type { ActionRow } from '#projections/contract-results/schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

const callTypes = ['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM']
const operations = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2']
const resultTypes: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' }

/** JSON text of a call. Entities are shown by the addresses that are made of their numbers. */
export function renderAction(action: ActionRow): string {
  const { caller, callerIsContract, recipientAccount, recipientContract } = action
  const recipient = recipientAccount ?? recipientContract
  const recipientType = recipientAccount !== null ? 'ACCOUNT' : 'CONTRACT'
  return (
    `{"call_depth":${action.depth},"call_operation_type":${nameOf(operations, action.operation)},` +
    `"call_type":${nameOf(callTypes, action.callType)},"caller":${id(caller)},` +
    `"caller_type":${caller === null ? 'null' : callerIsContract === 1 ? '"CONTRACT"' : '"ACCOUNT"'},` +
    `"from":${longZero(caller)},"gas":${action.gas},"gas_used":${action.gasUsed},"index":${action.index},` +
    `"input":"${hex(action.input)}","recipient":${id(recipient)},` +
    `"recipient_type":${recipient === null ? 'null' : `"${recipientType}"`},"result_data":"${hex(action.resultData)}",` +
    `"result_data_type":${text(resultTypes[action.resultType])},"timestamp":"${formatLedgerTime(action.time)}",` +
    `"to":${action.recipientAddress === null ? longZero(recipient) : `"${hex(action.recipientAddress)}"`},` +
    `"value":${action.value}}`
  )
}

function nameOf(names: readonly string[], number: number): string {
  return text(names[number])
}

/** What is newer than our names has none. */
function text(name: string | undefined): string {
  return name === undefined ? 'null' : `"${name}"`
}

function id(value: bigint | null): string {
  return value === null ? 'null' : `"${formatEntityId(value)}"`
}
