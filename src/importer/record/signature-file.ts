import { asBuffer } from '#src/domain/bytes.ts'
import { FieldReader } from '#src/domain/field-reader.ts'
import { ByteReader } from '#src/importer/record/byte-reader.ts'
import { gunzip, isGzip } from '#src/importer/record/gunzip.ts'
import { hashBytes } from '#src/importer/record/hash.ts'
import { readHashObject } from '#src/importer/record/hash-object.ts'
import { malformedSignature } from '#src/importer/record/malformed.ts'

/** What one node signed about one file. Nothing of it is verified yet. */
export interface SignatureFile {
  readonly version: 2 | 5 | 6
  readonly fileHash: Buffer
  readonly fileSignature: Buffer
  readonly metadataHash: Buffer | undefined
  readonly metadataSignature: Buffer | undefined
}

interface Signed {
  readonly hash: Buffer
  readonly signature: Buffer
}

type FailSignature = (reason: string) => ReturnType<typeof malformedSignature>

const rsaSignatureBytesMax = 384
const sha384WithRsa = 1
/** A file of two signatures of 384 bytes has some 1,000. */
const fileBytesMax = 64 * 1024

/** Reads a signature file of version 2, 5 or 6; `signature_malformed` when it does not have the form of its version. */
export function readSignatureFile(name: string, bytes: Uint8Array): SignatureFile {
  const fail: FailSignature = (reason) => malformedSignature(name, reason)
  const source = asBuffer(bytes)
  const content = isGzip(source)
    ? gunzip(source, (reason, cause) => malformedSignature(name, reason, cause), fileBytesMax)
    : source
  if (content.length > fileBytesMax) throw fail(`it has ${content.length} bytes, more than ${fileBytesMax}`)
  return detached(readContent(content, fail))
}

function readContent(content: Buffer, fail: FailSignature): SignatureFile {
  const version = content[0]
  if (version === undefined) throw fail('it is empty')
  if (version === 6) return readV6(content, fail)
  if (version === 5) return readV5(new ByteReader(content, fail), fail)
  if (version <= 4) return readV2(new ByteReader(content, fail), fail)
  throw fail(`its first byte ${version} is the one of no known signature format`)
}

/** A copy that does not keep the bytes of the whole file: it lives as long as the files read ahead. */
function detached({ version, fileHash, fileSignature, metadataHash, metadataSignature }: SignatureFile): SignatureFile {
  return {
    version,
    fileHash: Buffer.from(fileHash),
    fileSignature: Buffer.from(fileSignature),
    metadataHash: metadataHash && Buffer.from(metadataHash),
    metadataSignature: metadataSignature && Buffer.from(metadataSignature),
  }
}

function readV2(reader: ByteReader, fail: FailSignature): SignatureFile {
  if (reader.byte('the hash marker') !== 4) throw fail('the marker 4 of the hash is missing')
  const fileHash = reader.slice(hashBytes, 'the file hash')
  if (reader.byte('the signature marker') !== 3) throw fail('the marker 3 of the signature is missing')
  const length = reader.int32('the length of the signature')
  checkLength(length, fail)
  const fileSignature = reader.slice(length, 'the signature')
  checkEnd(reader, fail)
  return { version: 2, fileHash, fileSignature, metadataHash: undefined, metadataSignature: undefined }
}

function readV5(reader: ByteReader, fail: FailSignature): SignatureFile {
  reader.byte('the version')
  reader.int32('the object stream version')
  const fileHash = readHashObject(reader, 'the file hash', fail)
  const fileSignature = readSignatureObject(reader, 'the file signature', fail)
  const metadataHash = readHashObject(reader, 'the metadata hash', fail)
  const metadataSignature = readSignatureObject(reader, 'the metadata signature', fail)
  checkEnd(reader, fail)
  return { version: 5, fileHash, fileSignature, metadataHash, metadataSignature }
}

function readSignatureObject(reader: ByteReader, what: string, fail: FailSignature): Buffer {
  reader.uint64(`the class id of ${what}`)
  reader.int32(`the class version of ${what}`)
  const type = reader.int32(`the type of ${what}`)
  if (type !== sha384WithRsa) throw fail(`the type ${type} of ${what} is not SHA-384 with RSA`)
  const length = reader.int32(`the length of ${what}`)
  checkLength(length, fail)
  const checksum = reader.int32(`the checksum of ${what}`)
  if (checksum !== 101 - length) throw fail(`the checksum ${checksum} of ${what} is not ${101 - length}`)
  return reader.slice(length, what)
}

function readV6(content: Buffer, fail: FailSignature): SignatureFile {
  const fields = new FieldReader(content, fail, 1)
  let file: Signed | undefined
  let metadata: Signed | undefined
  while (fields.next()) {
    if (fields.field === 1) file = readSigned(fields.message(), 'file signature', fail)
    else if (fields.field === 2) metadata = readSigned(fields.message(), 'metadata signature', fail)
  }
  if (file === undefined) throw fail('it has no file signature')
  if (metadata === undefined) throw fail('it has no metadata signature')
  return {
    version: 6,
    fileHash: file.hash,
    fileSignature: file.signature,
    metadataHash: metadata.hash,
    metadataSignature: metadata.signature,
  }
}

function readSigned(fields: FieldReader, what: string, fail: FailSignature): Signed {
  let type = 0
  let signature: Buffer = Buffer.alloc(0)
  let hash: Buffer = Buffer.alloc(0)
  while (fields.next()) {
    if (fields.field === 1) type = fields.int32()
    else if (fields.field === 4) signature = fields.bytes()
    else if (fields.field === 5) hash = readHash(fields.message())
  }
  if (type !== sha384WithRsa) throw fail(`the type ${type} of its ${what} is not SHA-384 with RSA`)
  checkLength(signature.length, fail)
  if (hash.length !== hashBytes) throw fail(`the hash of its ${what} has ${hash.length} bytes instead of ${hashBytes}`)
  return { hash, signature }
}

function readHash(fields: FieldReader): Buffer {
  let hash: Buffer = Buffer.alloc(0)
  while (fields.next()) if (fields.field === 3) hash = fields.bytes()
  return hash
}

function checkLength(length: number, fail: FailSignature): void {
  if (length < 1 || length > rsaSignatureBytesMax) {
    throw fail(`the length ${length} of a signature is not within 1 to ${rsaSignatureBytesMax}`)
  }
}

function checkEnd(reader: ByteReader, fail: FailSignature): void {
  if (reader.remaining > 0) throw fail(`${reader.remaining} bytes follow its end`)
}
