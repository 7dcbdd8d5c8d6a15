import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'
import { readVersion } from '#src/domain/version-message.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { hashBytes, hashClassId, recordClassId, zeroHash } from '#src/importer/record/hash.ts'
import { sha384DigestType } from '#src/importer/record/hash-object.ts'
import type { RecordFormat, RecordItem } from '#src/importer/record/record-file.ts'

// Fields of RecordStreamFile.
const versionField = 1
const startHashField = 2
const itemsField = 3
const endHashField = 4

/** Ten times what a network of 10,000 transactions a second writes in two seconds: objects for each are made before anybody's signature is looked at. */
const itemsMax = 200_000

/** The bytes of the record file that nodes have signed, from its contents as a block wraps them: a RecordStreamFile. */
export function rebuildRecordFile(version: RecordFormat, contents: Buffer, fail: Fail): Buffer {
  assertBounded(contents, fail)
  if (version === 6) return Buffer.concat([int32(6), contents])
  if (version === 5) return rebuildV5(contents, fail)
  if (version === 2) return rebuildV2(contents, fail)
  throw fail(`it wraps a record file of version ${version}; 2, 5 and 6 are known`)
}

function assertBounded(contents: Buffer, fail: Fail): void {
  const fields = new FieldReader(contents, fail)
  let [items, others] = [0, 0]
  while (fields.next()) fields.field === itemsField ? items++ : others++
  if (items > itemsMax || others > itemsMax) throw fail(`its record file has more than ${itemsMax} items`)
}

function rebuildV5(contents: Buffer, fail: Fail): Buffer {
  const { major, minor, patch } = versionIn(contents, fail)
  const objectStreamVersion = 1
  const parts = [int32(5), int32(major), int32(minor), int32(patch), int32(objectStreamVersion)]
  parts.push(hashObject(hashIn(contents, startHashField, fail)))
  const head = Buffer.concat([int64(recordClassId), int32(1)])
  for (const { transaction, record } of itemsIn(contents, fail))
    parts.push(head, int32(record.length), record, int32(transaction.length), transaction)
  parts.push(hashObject(hashIn(contents, endHashField, fail)))
  return Buffer.concat(parts)
}

const previousHashMarker = 1
const recordMarker = 2

/** The one number that the format has for the version of the ledger's API is that of the minor version. */
function rebuildV2(contents: Buffer, fail: Fail): Buffer {
  const { minor } = versionIn(contents, fail)
  const parts = [int32(2), int32(minor), Buffer.of(previousHashMarker), hashIn(contents, startHashField, fail)]
  for (const { transaction, record } of itemsIn(contents, fail))
    parts.push(Buffer.of(recordMarker), int32(transaction.length), transaction, int32(record.length), record)
  return Buffer.concat(parts)
}

function versionIn(contents: Buffer, fail: Fail): SemanticVersion {
  const version = fieldValue(contents, versionField, fail) ?? contents.subarray(0, 0)
  return readVersion(new FieldReader(version, fail))
}

/** In a HashObject; zeros where there is none, as before the first file. */
function hashIn(contents: Buffer, field: number, fail: Fail): Buffer {
  const object = fieldValue(contents, field, fail)
  const hash = object && fieldValue(object, 3, fail)
  if (hash === undefined || hash.length === 0) return zeroHash
  if (hash.length !== hashBytes) throw fail(`a running hash of the wrapped file has ${hash.length} bytes`)
  return hash
}

function* itemsIn(contents: Buffer, fail: Fail): Generator<RecordItem, void, undefined> {
  const fields = new FieldReader(contents, fail)
  while (fields.next()) {
    if (fields.field !== itemsField) continue
    const item = fields.bytes()
    const transaction = fieldValue(item, 1, fail)
    const record = fieldValue(item, 2, fail)
    if (!transaction || !record) throw fail('an item of the wrapped file lacks its transaction or its record')
    yield { transaction, record }
  }
}

function hashObject(hash: Buffer): Buffer {
  return Buffer.concat([int64(hashClassId), int32(1), int32(sha384DigestType), int32(hashBytes), hash])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
