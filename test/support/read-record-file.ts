import { readUnpackedFile } from '#src/importer/record/read-unpacked-file.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'
import { unpackRecordFile } from '#src/importer/record/unpack-record-file.ts'

/** Unpacks and reads a record file whose bytes are trusted. */
export function readRecordFile(name: string, bytes: Uint8Array): RecordFile {
  return readUnpackedFile(unpackRecordFile(name, bytes))
}
