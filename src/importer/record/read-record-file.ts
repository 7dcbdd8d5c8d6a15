import { LedgerError } from '#src/domain/errors.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { isGzip } from '#src/importer/record/gunzip.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import { readRecordFileV1V2 } from '#src/importer/record/read-v1-v2.ts'
import { readRecordFileV5 } from '#src/importer/record/read-v5.ts'
import { readRecordFileV6, unpackV6 } from '#src/importer/record/read-v6.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'

/**
 * Reads a record file of version 1, 2, 5 or 6. Items are slices of the (unpacked) bytes. Rejects with
 * `file_name_invalid` for a name that is none of a record file, and with `file_malformed` for any other fault.
 */
export function readRecordFile(name: string, bytes: Uint8Array): RecordFile {
  const file = parseStreamFileName(name)
  if (file?.kind !== 'record') throw invalidName(name, 'it is not the name of a record file')
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packed = isGzip(source) || file.compressed
  const content = packed ? unpackV6(name, source) : source
  if (content.length < 4) throw malformed(name, `it has ${content.length} bytes, too few for a format version`)
  const version = content.readInt32BE(0)
  if (version === 6) return readRecordFileV6(file, source, content)
  if (version === 1 || version === 2) return { ...readRecordFileV1V2(file, content, version), size: source.length }
  if (version === 5) return { ...readRecordFileV5(file, content), size: source.length }
  throw malformed(name, `its format version ${version} is none of 1, 2, 5, 6`)
}

export function invalidName(name: string, reason: string, node?: bigint): LedgerError {
  const form = '2022-07-13T08_46_08.041986003Z.rcd.gz'
  const at = node === undefined ? '' : ` of node ${node}`
  return new LedgerError(
    'file_name_invalid',
    `${name}${at}: ${reason}. Names look like ${form} and give the consensus time of the first transaction; rename or remove the file`,
    { file: name, reason, ...(node === undefined ? {} : { node }) },
  )
}
