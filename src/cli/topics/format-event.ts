import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { EventType } from '#src/events/event-types.ts'
import { type RecordValue, shapeOf } from '#src/topics/event-shape.ts'
import { type DecodedRecord, namesOf, view } from '#src/topics/event-view.ts'

const typeWidth = 'AddressBookSnapshotted'.length
/** Longer values are left to the long form. */
const shortValueMax = 60

/** What the one line of an event has room for, where that is less than all short fields. */
const lineFields: Partial<Record<EventType, readonly string[]>> = {
  BlockRecorded: ['number', 'name', 'count', 'size', 'gasUsed'],
}

/** One line: `#41  1700000000.000000001  TransactionRecorded  CRYPTOTRANSFER  SUCCESS  payer 0.0.1001  …`. */
export function formatEvent(decoded: DecodedRecord): string {
  const { sequence, time, type } = decoded.record
  const parts = type === 'TransactionRecorded' ? transactionParts(decoded) : otherParts(decoded)
  return [`#${sequence}`, formatLedgerTime(time), type.padEnd(typeWidth), ...parts].join('  ').trimEnd()
}

function transactionParts(decoded: DecodedRecord): string[] {
  const { payerAccountId, entityId, chargedTxFee, blockNumber } = decoded.event
  const { transactionType = '', result = '' } = namesOf(decoded)
  return [
    transactionType,
    result,
    `payer ${formatEntityId(payerAccountId as bigint)}`,
    ...(entityId === null ? [] : [`entity ${formatEntityId(entityId as bigint)}`]),
    `fee ${chargedTxFee}`,
    ...(blockNumber === null ? [] : [`block ${blockNumber}`]),
  ]
}

function otherParts({ record, event }: DecodedRecord): string[] {
  const wanted = lineFields[record.type]
  return humanFields(record.type, event)
    .filter(([name]) => wanted?.includes(name) ?? true)
    .map(([name, value]) => [name, inline(value)] as const)
    .filter(([, text]) => text.length <= shortValueMax)
    .map(([name, text]) => `${name} ${text}`)
}

/** A line, and below it every field that is not empty. */
export function formatWholeEvent(decoded: DecodedRecord): string {
  const { record, event } = decoded
  const fields = humanFields(record.type, event)
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  const { transactionType, result } = namesOf(decoded)
  const names = transactionType === undefined ? '' : `  ${transactionType}  ${result}`
  const head = `#${record.sequence}  ${formatLedgerTime(record.time)}  ${record.type}${names}  key ${record.key}`
  return [head, ...fields.map(([name, value]) => `    ${name.padEnd(width)}  ${inline(value)}`)].join('\n')
}

function humanFields(type: EventType, event: RecordValue): [string, unknown][] {
  return Object.entries(view(shapeOf(type), event, { human: true, bytes: 'hex' }) as RecordValue)
}

/** `{accountId: 0.0.3, amount: 5}`: JSON without what gets in the way of reading. Control characters are escaped. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, inner]) => `${name}: ${inline(inner)}`)
      .join(', ')}}`
  }
  if (typeof value !== 'string') return String(value)
  return /^[\w.:+-]+$/.test(value) ? value : JSON.stringify(value)
}
