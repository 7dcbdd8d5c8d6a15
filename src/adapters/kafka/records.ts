import { createHash } from 'node:crypto'
import type { WireHeader, WireRecord } from '#src/adapters/kafka/batch-writer.ts'
import { type FetchedRecord, headerOf } from '#src/adapters/kafka/fetched-record.ts'
import type { LogRecord, Position } from '#src/ports/message-log.ts'

/**
 * Headers of a Kafka record, all of them text. The key is the event's stable id; the message time is its consensus time in
 * milliseconds, rounded down, 0 for times before 1970.
 */
export const recordHeaders = {
  'event-type': 'Name of the Avro record, such as `TransactionRecorded`',
  sequence: 'Place of the event in the log, from 1 without a gap, decimal; a subscriber recognizes duplicates by it',
  'time-ns': 'Consensus time in nanoseconds since 1970, decimal',
  'schema-fingerprint':
    'CRC-64-AVRO fingerprint of the schema that wrote the value, 16 hexadecimal digits in the byte order of single-object encoding',
  'producer-version': 'Version of the importer that wrote the event',
  part: 'Only where an event is larger than a batch may be: number of this part, from 1; its parts follow each other',
  parts: 'Only there: how many parts the event has',
  'value-sha256': 'Only there: SHA-256 of the whole value, hexadecimal',
} as const

export type RecordHeader = keyof typeof recordHeaders

const singleObjectMarker = 0xc301
const int64Max = 9_223_372_036_854_775_807n
const longestTime = int64Max / 1_000_000n

/** `value` is the value as it goes on the wire; `record` has it in the core's framing. */
export interface OutgoingRecord {
  readonly record: LogRecord
  readonly value: Uint8Array
  readonly sequence: Position
  readonly producerVersion: string
  /** Most value bytes of a part. */
  readonly partBytesMax: number
}

/** The Kafka records of an event: one, or its parts. */
export function wireRecordsOf({
  record,
  value,
  sequence,
  producerVersion,
  partBytesMax,
}: OutgoingRecord): WireRecord[] {
  const key = Buffer.from(record.key)
  const timeMs = messageTimeMs(record.time)
  const headers: WireHeader[] = [
    ['event-type', record.type],
    ['sequence', String(sequence)],
    ['time-ns', String(record.time)],
    ['producer-version', producerVersion],
  ]
  const fingerprint = fingerprintOf(record.value)
  if (fingerprint) headers.push(['schema-fingerprint', fingerprint])
  if (value.length <= partBytesMax) return [{ key, value, timeMs, headers }]
  const parts = Math.ceil(value.length / partBytesMax)
  const digest = sha256(value)
  return Array.from({ length: parts }, (_, index) => ({
    key,
    value: value.subarray(index * partBytesMax, (index + 1) * partBytesMax),
    timeMs,
    headers: [...headers, ['part', String(index + 1)], ['parts', String(parts)], ['value-sha256', digest]],
  }))
}

/** undefined when the value is in another framing than ours. */
function fingerprintOf(value: Uint8Array): string | undefined {
  if (value.length < 10 || ((value[0]! << 8) | value[1]!) !== singleObjectMarker) return undefined
  return Buffer.from(value.buffer, value.byteOffset, 10).toString('hex', 2)
}

function messageTimeMs(time: bigint): number {
  if (time <= 0n) return 0
  const timeMs = time / 1_000_000n
  return Number(timeMs < longestTime ? timeMs : longestTime)
}

export function sha256(value: Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

/** Sequence of a fetched record; undefined where it has none, so that it was not written by us. */
export function sequenceOf(record: FetchedRecord): Position | undefined {
  const sequence = Number(headerOf(record, 'sequence'))
  return Number.isSafeInteger(sequence) && sequence > 0 ? sequence : undefined
}

/** undefined where the header is missing or no integer. */
export function timeOf(record: FetchedRecord): bigint | undefined {
  const text = headerOf(record, 'time-ns')
  return text !== undefined && /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
}
