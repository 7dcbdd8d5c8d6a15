import type { Fail } from '#src/domain/field-reader.ts'
import { ByteReader } from '#src/importer/record/byte-reader.ts'
import { hashClassId, recordClassId, sha384Of } from '#src/importer/record/hash.ts'
import { readHashObject } from '#src/importer/record/hash-object.ts'
import { boundedSlice, timesOf } from '#src/importer/record/items.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import type { RecordFile, RecordItem } from '#src/importer/record/record-file.ts'
import type { UnpackedFile } from '#src/importer/record/unpack-record-file.ts'

/** Reads format 5: two running hashes around items with the record before the transaction. */
export function readRecordFileV5({ file, size, content, fileHash }: UnpackedFile): RecordFile {
  const { name } = file
  const fail = (reason: string) => malformed(name, reason)
  const reader = new ByteReader(content, fail)
  reader.int32('the format version')
  const major = reader.int32('the HAPI version')
  const minor = reader.int32('the HAPI version')
  const patch = reader.int32('the HAPI version')
  reader.int32('the object stream version')
  const previousHash = readHashObject(reader, 'the start running hash', fail)
  const headEnd = reader.offset
  const items = readItems(reader, fail)
  const tailStart = reader.offset
  const chainHash = readHashObject(reader, 'the end running hash', fail)
  if (reader.remaining > 0) throw fail(`${reader.remaining} bytes follow the end running hash`)
  const [consensusStart, consensusEnd] = timesOf(items, file.instant, fail)
  return {
    name,
    version: 5,
    size,
    sizeUnpacked: content.length,
    consensusStart,
    consensusEnd,
    items,
    fileHash,
    metadataHash: sha384Of(content.subarray(0, headEnd), content.subarray(tailStart)),
    chainHash,
    previousHash,
    hapiVersion: { major, minor, patch },
    blockNumber: undefined,
    sidecars: [],
  }
}

function readItems(reader: ByteReader, fail: Fail): RecordItem[] {
  const items: RecordItem[] = []
  while (reader.peekUint64() !== hashClassId) {
    const classId = reader.uint64('an item')
    if (classId !== recordClassId)
      throw fail(`byte ${reader.offset - 8} begins neither an item nor the end running hash`)
    const version = reader.int32('the class version of an item')
    if (version !== 1) throw fail(`the class version ${version} of an item is not 1`)
    const record = boundedSlice(reader, 'a transaction record', fail)
    const transaction = boundedSlice(reader, 'a transaction', fail)
    items.push({ transaction, record })
  }
  if (items.length === 0) throw fail('it holds no item')
  return items
}
