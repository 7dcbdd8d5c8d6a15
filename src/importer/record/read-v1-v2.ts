import type { Fail } from '#src/domain/field-reader.ts'
import { ByteReader } from '#src/importer/record/byte-reader.ts'
import { hashBytes } from '#src/importer/record/hash.ts'
import { boundedSlice, timesOf } from '#src/importer/record/items.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import type { RecordFile, RecordItem } from '#src/importer/record/record-file.ts'
import type { UnpackedFile } from '#src/importer/record/unpack-record-file.ts'

const previousHashMarker = 1
const recordMarker = 2

/** Reads format 1 or 2: a header with the previous file hash, then items with the transaction before the record. */
export function readRecordFileV1V2({ file, version, size, content, fileHash }: UnpackedFile): RecordFile {
  const { name } = file
  const fail = (reason: string) => malformed(name, reason)
  const reader = new ByteReader(content, fail)
  reader.int32('the format version')
  reader.int32('the HAPI version')
  if (reader.byte('the marker of the previous hash') !== previousHashMarker) {
    throw fail(`byte 8 is not the marker ${previousHashMarker} of the previous hash`)
  }
  const previousHash = reader.slice(hashBytes, 'the previous hash')
  const items = readItems(reader, fail)
  const [consensusStart, consensusEnd] = timesOf(items, file.instant, fail)
  return {
    name,
    version,
    size,
    sizeUnpacked: content.length,
    consensusStart,
    consensusEnd,
    items,
    fileHash,
    metadataHash: undefined,
    chainHash: fileHash,
    previousHash,
    hapiVersion: undefined,
    blockNumber: undefined,
    sidecars: [],
  }
}

function readItems(reader: ByteReader, fail: Fail): RecordItem[] {
  const items: RecordItem[] = []
  while (reader.remaining > 0) {
    const marker = reader.byte('a record marker')
    if (marker !== recordMarker)
      throw fail(`byte ${reader.offset - 1} is ${marker}, not the record marker ${recordMarker}`)
    const transaction = boundedSlice(reader, 'a transaction', fail)
    const record = boundedSlice(reader, 'a transaction record', fail)
    items.push({ transaction, record })
  }
  return items
}
