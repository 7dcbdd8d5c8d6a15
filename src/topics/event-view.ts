import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { responseCodeNames } from '#src/domain/response-codes.ts'
import { transactionTypeNames } from '#src/domain/transaction-types.ts'
import { decodeEvent } from '#src/events/codec.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { entityOf, instantOf, type RecordValue, type Shape, shapeOf } from '#src/topics/event-shape.ts'

export type BytesEncoding = 'hex' | 'base64'

/** How values are written for a reader; what comes back is only text, numbers, booleans, lists and records of such. */
export interface ViewStyle {
  /** For people: ids as `0.0.5`, times as seconds, text instead of its bytes, and nothing that is empty. */
  readonly human: boolean
  readonly bytes: BytesEncoding
}

/** An event with what travels beside it. */
export interface DecodedRecord {
  readonly record: StoredRecord
  readonly event: RecordValue
}

/** Shown by its schema, field by field, whatever its type is. */
export function decodeRecord(record: StoredRecord): DecodedRecord {
  return { record, event: decodeEvent(record) as unknown as RecordValue }
}

/**
 * One JSON object: a `long` is a text of digits, since most readers of JSON would round it; bytes are text as the style
 * says; fields that are null are left out.
 */
export function recordToJson({ record, event }: DecodedRecord, bytes: BytesEncoding): object {
  const { sequence, time, type, key } = record
  const names = namesOf({ record, event })
  return { sequence, time: formatLedgerTime(time), type, key, ...names, event: viewEvent(record, event, bytes) }
}

function viewEvent({ type }: StoredRecord, event: RecordValue, bytes: BytesEncoding): unknown {
  return view(shapeOf(type), event, { human: false, bytes })
}

/** The names of a transaction's type and result, where they have one. */
export function namesOf({ record, event }: DecodedRecord): { transactionType?: string; result?: string } {
  if (record.type !== 'TransactionRecorded') return {}
  const transactionType = transactionTypeNames[event['type'] as number] ?? 'UNKNOWN'
  const result = responseCodeNames[event['result'] as number] ?? String(event['result'])
  return { transactionType, result }
}

/** A value as the style wants it; undefined for what is left out. */
export function view(shape: Shape, value: unknown, style: ViewStyle): unknown {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return viewList(shape, value, style)
  if (value instanceof Uint8Array) return viewBytes(shape, value, style)
  if (typeof value === 'object') return viewRecord(shape, value as RecordValue, style)
  if (typeof value === 'bigint') return viewLong(shape, value, style)
  return style.human && (value === 0 || value === false || value === '') ? undefined : value
}

function viewList(shape: Shape, values: readonly unknown[], style: ViewStyle): unknown {
  if (shape.kind !== 'list' || (style.human && values.length === 0)) return style.human ? undefined : []
  // An item that is empty has its place all the same.
  return values.map(
    (value) => view(shape.item, value, style) ?? view(shape.item, value, { ...style, human: false }) ?? null,
  )
}

function viewBytes(shape: Shape, value: Uint8Array, { human, bytes }: ViewStyle): string | undefined {
  if (human && value.length === 0) return undefined
  const buffer = Buffer.from(value.buffer, value.byteOffset, value.length)
  return human && shape.kind === 'leaf' && shape.meaning === 'text' ? buffer.toString() : buffer.toString(bytes)
}

function viewLong(shape: Shape, value: bigint, { human }: ViewStyle): string | undefined {
  if (!human || shape.kind !== 'leaf') return value.toString()
  if (value === 0n) return undefined
  if (shape.meaning === 'id') return formatEntityId(value)
  return shape.meaning === 'time' ? formatLedgerTime(value) : value.toString()
}

function viewRecord(shape: Shape, value: RecordValue, style: ViewStyle): unknown {
  if (style.human && shape.kind === 'entity') {
    const id = entityOf(value, shape.number)
    if (id !== undefined) return formatEntityId(id)
  }
  if (style.human && shape.kind === 'instant') return formatLedgerTime(instantOf(value))
  if (!('fields' in shape)) return undefined
  const entries: [string, unknown][] = []
  for (const [name, field] of shape.fields) {
    const shown = view(field, value[name], style)
    if (shown !== undefined) entries.push([name, shown])
  }
  return Object.fromEntries(entries)
}
