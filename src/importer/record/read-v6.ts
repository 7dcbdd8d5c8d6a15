import { type Fail, FieldReader, wireVarint } from '#src/domain/field-reader.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'
import { readVersion } from '#src/domain/version-message.ts'
import { hashBytes, sha384 } from '#src/importer/record/hash.ts'
import { timesOf } from '#src/importer/record/items.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import type { RecordFile, RecordItem, SidecarMetadata } from '#src/importer/record/record-file.ts'
import type { UnpackedFile } from '#src/importer/record/unpack-record-file.ts'

const versionBytes = 4
const sha384Algorithm = 1

interface Content {
  hapiVersion: SemanticVersion
  start: HashMessage | undefined
  end: HashMessage | undefined
  blockNumber: bigint
  readonly items: RecordItem[]
  readonly sidecars: SidecarMetadata[]
}

interface HashMessage {
  readonly algorithm: number
  readonly hash: Buffer
}

/** Reads format 6: gzip around a version number and a protobuf RecordStreamFile. */
export function readRecordFileV6({ file, size, content, fileHash }: UnpackedFile): RecordFile {
  const { name } = file
  const fail = (reason: string) => malformed(name, reason)
  const { items, sidecars, start, end, hapiVersion, blockNumber } = readContent(content, fail)
  const previousHash = hashOf(start, 'start running hash', fail)
  const chainHash = hashOf(end, 'end running hash', fail)
  if (start?.algorithm !== sha384Algorithm && end?.algorithm !== sha384Algorithm) {
    throw fail('neither of its running hashes names the algorithm SHA-384')
  }
  const [consensusStart, consensusEnd] = timesOf(items, file.instant, fail)
  return {
    name,
    version: 6,
    size,
    sizeUnpacked: content.length,
    consensusStart,
    consensusEnd,
    items,
    fileHash,
    metadataHash: metadataHashOf(hapiVersion, previousHash, chainHash, blockNumber),
    chainHash,
    previousHash,
    hapiVersion,
    blockNumber,
    sidecars,
  }
}

function readContent(bytes: Buffer, fail: Fail): Content {
  const content: Content = {
    hapiVersion: { major: 0, minor: 0, patch: 0 },
    start: undefined,
    end: undefined,
    blockNumber: 0n,
    items: [],
    sidecars: [],
  }
  const fields = new FieldReader(bytes, fail, versionBytes)
  while (fields.next()) readField(fields, content, fail)
  return content
}

function readField(fields: FieldReader, content: Content, fail: Fail): void {
  switch (fields.field) {
    case 1:
      content.hapiVersion = readVersion(fields.message())
      break
    case 2:
      content.start = readHash(fields.message())
      break
    case 3:
      content.items.push(readItem(fields.message(), fail))
      break
    case 4:
      content.end = readHash(fields.message())
      break
    case 5:
      content.blockNumber = fields.int64()
      break
    case 6:
      content.sidecars.push(readSidecarMetadata(fields.message(), fail))
      break
    default:
  }
}

function readItem(fields: FieldReader, fail: Fail): RecordItem {
  let transaction: Buffer | undefined
  let record: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) transaction = fields.bytes()
    else if (fields.field === 2) record = fields.bytes()
  }
  if (transaction === undefined || record === undefined) throw fail('an item lacks its transaction or its record')
  return { transaction, record }
}

function readHash(fields: FieldReader): HashMessage {
  let algorithm = 0
  let hash: Buffer = Buffer.alloc(0)
  while (fields.next()) {
    if (fields.field === 1) algorithm = fields.int32()
    else if (fields.field === 3) hash = fields.bytes()
  }
  return { algorithm, hash }
}

function hashOf(message: HashMessage | undefined, what: string, fail: Fail): Buffer {
  if (message === undefined) throw fail(`it has no ${what}`)
  if (message.hash.length !== hashBytes)
    throw fail(`its ${what} has ${message.hash.length} bytes instead of ${hashBytes}`)
  return message.hash
}

function readSidecarMetadata(fields: FieldReader, fail: Fail): SidecarMetadata {
  let hash: HashMessage | undefined
  let id = 0
  const types: number[] = []
  while (fields.next()) {
    if (fields.field === 1) hash = readHash(fields.message())
    else if (fields.field === 2) id = fields.int32()
    else if (fields.field === 3) readTypes(fields, types)
  }
  if (id < 1 || id > 99) throw fail(`the id ${id} of a sidecar is not within 1 to 99`)
  return { id, hash: hashOf(hash, `hash of sidecar ${id}`, fail), types }
}

/** Repeated enum values come packed in one field or one by one. */
function readTypes(fields: FieldReader, types: number[]): void {
  if (fields.wire === wireVarint) types.push(fields.int32())
  else for (const value of fields.bytes()) types.push(value)
}

function metadataHashOf(version: SemanticVersion, start: Buffer, end: Buffer, blockNumber: bigint): Buffer {
  const bytes = Buffer.alloc(16 + 2 * hashBytes + 8)
  bytes.writeInt32BE(6, 0)
  bytes.writeInt32BE(version.major, 4)
  bytes.writeInt32BE(version.minor, 8)
  bytes.writeInt32BE(version.patch, 12)
  start.copy(bytes, 16)
  end.copy(bytes, 16 + hashBytes)
  bytes.writeBigInt64BE(blockNumber, 16 + 2 * hashBytes)
  return sha384(bytes)
}
