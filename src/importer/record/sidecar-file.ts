import { LedgerError } from '#src/domain/errors.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { gunzip } from '#src/importer/record/gunzip.ts'
import { sha384 } from '#src/importer/record/hash.ts'
import type { SidecarMetadata } from '#src/importer/record/record-file.ts'

/** 1 contract state change, 2 contract action, 3 contract bytecode. */
type SidecarType = 1 | 2 | 3

export interface SidecarFile {
  readonly name: string
  readonly size: number
  readonly sizeUnpacked: number
  /** SHA-384 of the unpacked bytes. */
  readonly hash: Buffer
  /** The unpacked bytes. */
  readonly content: Buffer
}

// Fields of TransactionSidecarRecord that say of which type it is.
const typeOfField: Readonly<Record<number, SidecarType>> = { 3: 1, 4: 2, 5: 3 }

/** Unpacks and hashes a sidecar without looking into it; `sidecar_mismatch` when it cannot be unpacked. */
export function unpackSidecar(name: string, bytes: Uint8Array): SidecarFile {
  const content = gunzip(bytes, (reason, cause) => sidecarError(name, reason, cause))
  return { name, size: bytes.byteLength, sizeUnpacked: content.length, hash: sha384(content), content }
}

/** Rejects a sidecar that is not the one that the signed record file names. */
export function checkSidecar(sidecar: SidecarFile, metadata: SidecarMetadata): void {
  if (sidecar.hash.equals(metadata.hash)) return
  throw sidecarError(
    sidecar.name,
    `its hash ${sidecar.hash.toString('hex')} is not ${metadata.hash.toString('hex')}, which the signed record file names`,
  )
}

/** Serialized TransactionSidecarRecord messages of the wanted types in file order; `sidecar_mismatch` when it cannot be read. */
export function recordsOfTypes({ name, content }: SidecarFile, types: ReadonlySet<number>): Buffer[] {
  const fail = (reason: string) => sidecarError(name, reason)
  const records: Buffer[] = []
  const fields = new FieldReader(content, fail)
  while (fields.next()) {
    if (fields.field !== 1) continue
    const record = fields.bytes()
    const type = sidecarTypeOf(record, fail)
    if (type !== undefined && types.has(type)) records.push(record)
  }
  return records
}

/** Type of a serialized TransactionSidecarRecord; undefined when it is none that we know. */
function sidecarTypeOf(record: Buffer, fail: Fail): SidecarType | undefined {
  const fields = new FieldReader(record, fail)
  let type: SidecarType | undefined
  while (fields.next()) type = typeOfField[fields.field] ?? type
  return type
}

/** That a block does not hold a sidecar which the record file in it names. */
export function sidecarMissing(name: string): LedgerError {
  return sidecarError(name, 'the block has none with the hash that its signed record file names')
}

function sidecarError(name: string, reason: string, cause?: unknown): LedgerError {
  const step = 'Take the copy of another node; if every copy is like this, import without sidecars'
  return new LedgerError('sidecar_mismatch', `Sidecar ${name}: ${reason}. ${step}`, { file: name, reason }, cause)
}
