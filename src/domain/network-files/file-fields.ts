import { asBuffer } from '#src/domain/bytes.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'

/** The fields of the message that a file of the network holds. Reading throws `file_malformed` where the bytes are none. */
export function fileFields(contents: Uint8Array): FieldReader {
  return new FieldReader(
    asBuffer(contents),
    (reason) => new LedgerError('file_malformed', `The contents of the file are no message of its kind: ${reason}`),
  )
}

/** Whether bytes can be read as a file: what was uploaded in parts often cannot be until its last part is there. */
export function isReadable(read: (contents: Uint8Array) => unknown, contents: Uint8Array): boolean {
  try {
    read(contents)
    return true
  } catch (error) {
    if (isLedgerError(error, 'file_malformed')) return false
    throw error
  }
}

/** Goes through a message of which only the wire form is checked. */
export function skipMessage(fields: FieldReader): void {
  while (fields.next());
}

/** A uint64, which may exceed what is signed. */
export function uint64(fields: FieldReader): bigint {
  return BigInt.asUintN(64, fields.int64())
}

/** A uint32. */
export function uint32(fields: FieldReader): number {
  return fields.int32() >>> 0
}

/** The seconds of a TimestampSeconds. */
export function readSeconds(fields: FieldReader): bigint {
  let seconds = 0n
  while (fields.next()) if (fields.field === 1) seconds = fields.int64()
  return seconds
}
