import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'
import { type Block, blockText } from '#src/importer/block/block.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { rebuildRecordFile } from '#src/importer/block/wrapped/rebuild-record-file.ts'
import { instantText, type StreamFileName, shortInstantText } from '#src/importer/record/file-name.ts'
import { readUnpackedFile } from '#src/importer/record/read-unpacked-file.ts'
import type { RecordFile, RecordFormat, RecordItem } from '#src/importer/record/record-file.ts'
import { fileHashOf, type UnpackedFile } from '#src/importer/record/unpack-record-file.ts'

/** A node's signature of the record file. */
export interface WrappedSignature {
  readonly nodeId: bigint
  readonly signature: Buffer
}

/** The record file that a block wraps, rebuilt as it was signed. */
export interface WrappedFile {
  readonly file: RecordFile
  /** When it was created (ns), as the block says. */
  readonly instant: LedgerTime
  /** Serialized SidecarFiles. */
  readonly sidecars: readonly Buffer[]
  /** Items that were missing or wrong in the file, which nobody has signed with it. */
  readonly amendments: readonly RecordItem[]
  readonly signatures: readonly WrappedSignature[]
}

/** More than any network has nodes, and than a file can name sidecars. */
const signaturesMax = 1_000
const sidecarsMax = 99
const amendmentsMax = 10_000

/** Reads a block that wraps a record file; undefined for any other. Throws `file_malformed`. */
export function readWrappedFile(block: Block): WrappedFile | undefined {
  const { recordFile, proofs } = block
  const proof = proofs.find(({ kind }) => kind === 'record-file')
  const fail = (reason: string, cause?: unknown) => malformedBlock(blockText(block), reason, cause)
  if (!recordFile) {
    if (proofs[0]?.kind === 'record-file') throw fail('its proof is that of a record file, which it does not wrap')
    return undefined
  }
  if (!proof) throw fail('it wraps a record file without the signatures of one')
  const { version, signatures } = readRecordFileProof(proof.message, fail)
  const parts = readItem(recordFile, fail)
  const content = rebuildRecordFile(version, parts.contents, fail)
  const file = readFile(
    {
      file: nameOf(parts.time, version),
      version,
      size: content.length,
      content,
      fileHash: fileHashOf(version, content),
    },
    fail,
  )
  return { file, instant: parts.time, sidecars: parts.sidecars, amendments: parts.amendments, signatures }
}

/** What is wrong with the file is said of the block, which has a source. */
function readFile(unpacked: UnpackedFile, fail: (reason: string, cause: unknown) => LedgerError): RecordFile {
  try {
    return readUnpackedFile(unpacked)
  } catch (error) {
    if (!isLedgerError(error, 'file_malformed')) throw error
    throw fail(`the record file ${unpacked.file.name} that it wraps is malformed: ${error.details['reason']}`, error)
  }
}

/** Reads a serialized SignedRecordFileProof. Whether there is such a version is for whoever rebuilds the file. */
export function readRecordFileProof(
  message: Buffer,
  fail: Fail,
): { readonly version: RecordFormat; readonly signatures: readonly WrappedSignature[] } {
  const fields = new FieldReader(message, fail)
  let version = 0
  const signatures: WrappedSignature[] = []
  while (fields.next()) {
    if (fields.field === 1) version = fields.int32()
    else if (fields.field === 2) signatures.push(readSignature(fields.message()))
    if (signatures.length > signaturesMax) throw fail(`it has more than ${signaturesMax} signatures`)
  }
  return { version: version as RecordFormat, signatures }
}

function readSignature(fields: FieldReader): WrappedSignature {
  let nodeId = 0n
  let signature: Buffer = Buffer.alloc(0)
  while (fields.next()) {
    if (fields.field === 1) signature = fields.bytes()
    else if (fields.field === 2) nodeId = fields.int64()
  }
  return { nodeId, signature }
}

interface ItemParts {
  readonly time: LedgerTime
  readonly contents: Buffer
  readonly sidecars: readonly Buffer[]
  readonly amendments: readonly RecordItem[]
}

function readItem(item: Buffer, fail: Fail): ItemParts {
  const fields = new FieldReader(item, fail)
  let time = 0n as LedgerTime
  let contents: Buffer | undefined
  const sidecars: Buffer[] = []
  const amendments: RecordItem[] = []
  while (fields.next()) {
    if (fields.field === 1) time = timestampOf(fields.message())
    else if (fields.field === 2) contents = fields.bytes()
    else if (fields.field === 3) sidecars.push(fields.bytes())
    else if (fields.field === 4) amendments.push(readAmendment(fields.message(), fail))
    if (sidecars.length > sidecarsMax) throw fail(`it has more than ${sidecarsMax} sidecars`)
    if (amendments.length > amendmentsMax) throw fail(`it has more than ${amendmentsMax} amendments`)
  }
  if (contents === undefined) throw fail('its record file has no contents')
  return { time, contents, sidecars, amendments }
}

function readAmendment(fields: FieldReader, fail: Fail): RecordItem {
  let transaction: Buffer | undefined
  let record: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) transaction = fields.bytes()
    else if (fields.field === 2) record = fields.bytes()
  }
  if (!transaction || !record) throw fail('an amendment lacks its transaction or its record')
  return { transaction, record }
}

/** The name that the file was published with: that of its first instant, with nine digits of it from version 5 on. */
function nameOf(time: LedgerTime, version: RecordFormat): StreamFileName {
  const compressed = version === 6
  const name = `${version === 2 ? shortInstantText(time) : instantText(time)}.rcd${compressed ? '.gz' : ''}`
  return { name, kind: 'record', instant: time, sidecarId: undefined, compressed }
}
