import { asBuffer } from '#src/domain/bytes.ts'
import { parseStreamFileName, type StreamFileName } from '#src/importer/record/file-name.ts'
import { gunzip, isGzip } from '#src/importer/record/gunzip.ts'
import { sha384, sha384Of } from '#src/importer/record/hash.ts'
import { invalidName, malformed } from '#src/importer/record/malformed.ts'
import type { RecordFormat } from '#src/importer/record/record-file.ts'

/** A record file of which nothing is known yet but its format and the hash that signatures cover. */
export interface UnpackedFile {
  readonly file: StreamFileName
  readonly version: RecordFormat
  /** Bytes as stored. */
  readonly size: number
  readonly content: Buffer
  readonly fileHash: Buffer
}

/** Header of format 2: all up to and including the previous hash. It is hashed apart from the rest. */
const headerBytesV2 = 57

/**
 * Unpacks a record file and hashes it, which takes bounded memory whatever the bytes are; what is in it is worth reading
 * only if the hash is a signed one. Rejects with `file_name_invalid` for a name that is none of a record file, and with
 * `file_malformed` when it cannot be unpacked or has none of the known formats.
 */
export function unpackRecordFile(name: string, bytes: Uint8Array): UnpackedFile {
  const file = parseStreamFileName(name)
  if (file?.kind !== 'record') throw invalidName(name, 'it is not the name of a record file')
  const source = asBuffer(bytes)
  const packed = isGzip(source) || file.compressed
  const content = packed ? gunzip(source, (reason, cause) => malformed(name, reason, cause)) : source
  return unpackedFile(file, source.length, content)
}

/** The same of what is unpacked already; `size` is that as stored. */
export function unpackedFile(file: StreamFileName, size: number, content: Buffer): UnpackedFile {
  const { name } = file
  if (content.length < 4) throw malformed(name, `it has ${content.length} bytes, too few for a format version`)
  const version = content.readInt32BE(0)
  if (version !== 1 && version !== 2 && version !== 5 && version !== 6) {
    throw malformed(name, `its format version ${version} is none of 1, 2, 5, 6`)
  }
  return { file, version, size, content, fileHash: fileHashOf(version, content) }
}

/** What signatures of a file cover. */
export function fileHashOf(version: RecordFormat, content: Buffer): Buffer {
  if (version !== 2) return sha384(content)
  return sha384Of(content.subarray(0, headerBytesV2), sha384(content.subarray(headerBytesV2)))
}
