import type { FieldReader } from '#src/domain/field-reader.ts'
import { fileFields, skipMessage } from '#src/domain/network-files/file-fields.ts'

/** Throws `file_malformed` unless the bytes can be file 123, ThrottleDefinitions. */
export function assertThrottles(contents: Uint8Array): void {
  const fields = fileFields(contents)
  while (fields.next()) if (fields.field === 1) assertBucket(fields.message())
}

function assertBucket(fields: FieldReader): void {
  while (fields.next()) if (fields.field === 3) skipMessage(fields.message())
}
