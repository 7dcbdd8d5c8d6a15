import { asBuffer } from '#src/domain/bytes.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader, wireBytes } from '#src/domain/field-reader.ts'

/** One field on the top level of a serialized protobuf message. */
export interface WireField {
  readonly number: number
  /** The contents of a length-delimited field; undefined for others. */
  readonly value: Buffer | undefined
}

/** The fields on the top level of a message, in order, without decoding them. Undefined when the bytes are no message. */
export function scanFields(bytes: Uint8Array): WireField[] | undefined {
  const fields: WireField[] = []
  const reader = new FieldReader(asBuffer(bytes), (reason) => new LedgerError('file_malformed', reason))
  try {
    while (reader.next()) {
      fields.push({ number: reader.field, value: reader.wire === wireBytes ? reader.bytes() : undefined })
    }
  } catch {
    // Callers ask because something is wrong with the bytes already; that they are no message at all is an answer.
    return undefined
  }
  return fields
}
