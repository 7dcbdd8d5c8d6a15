import { readRecordFileV1V2 } from '#src/importer/record/read-v1-v2.ts'
import { readRecordFileV5 } from '#src/importer/record/read-v5.ts'
import { readRecordFileV6 } from '#src/importer/record/read-v6.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'
import type { UnpackedFile } from '#src/importer/record/unpack-record-file.ts'

/**
 * Reads an unpacked record file of version 1, 2, 5 or 6. Items are slices of the unpacked bytes. Rejects with
 * `file_malformed` where it does not have the form of its version.
 */
export function readUnpackedFile(unpacked: UnpackedFile): RecordFile {
  if (unpacked.version === 6) return readRecordFileV6(unpacked)
  if (unpacked.version === 5) return readRecordFileV5(unpacked)
  return readRecordFileV1V2(unpacked)
}
