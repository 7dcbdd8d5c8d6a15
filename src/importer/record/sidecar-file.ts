import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/importer/record/field-reader.ts'
import { gunzip } from '#src/importer/record/gunzip.ts'
import { sha384 } from '#src/importer/record/hash.ts'
import type { SidecarMetadata } from '#src/importer/record/record-file.ts'

/** 1 contract state change, 2 contract action, 3 contract bytecode. */
export type SidecarType = 1 | 2 | 3

export interface SidecarFile {
  readonly name: string
  readonly size: number
  readonly sizeUnpacked: number
  /** SHA-384 of the unpacked bytes. */
  readonly hash: Buffer
  /** Serialized TransactionSidecarRecord messages in file order. */
  readonly records: readonly Buffer[]
}

// Fields of TransactionSidecarRecord that say of which type it is.
const typeOfField: Readonly<Record<number, SidecarType>> = { 3: 1, 4: 2, 5: 3 }

/** Reads a sidecar; `sidecar_mismatch` when it can not be read. */
export function readSidecarFile(name: string, bytes: Uint8Array): SidecarFile {
  const fail = (reason: string, cause?: unknown) => sidecarError(name, reason, cause)
  const content = gunzip(bytes, fail)
  const fields = new FieldReader(content, fail)
  const records: Buffer[] = []
  while (fields.next()) if (fields.field === 1) records.push(fields.bytes())
  return { name, size: bytes.byteLength, sizeUnpacked: content.length, hash: sha384(content), records }
}

/** Rejects a sidecar that is not the one that the signed record file names. */
export function checkSidecar(sidecar: SidecarFile, metadata: SidecarMetadata): void {
  if (sidecar.hash.equals(metadata.hash)) return
  throw sidecarError(
    sidecar.name,
    `its hash ${sidecar.hash.toString('hex')} is not ${metadata.hash.toString('hex')}, which the signed record file names`,
  )
}

/** The records of the wanted types. */
export function recordsOfTypes(sidecar: SidecarFile, types: ReadonlySet<number>): Buffer[] {
  return sidecar.records.filter((record) => {
    const type = sidecarTypeOf(record, (reason) => sidecarError(sidecar.name, reason))
    return type !== undefined && types.has(type)
  })
}

/** Type of a serialized TransactionSidecarRecord; undefined when it is none that we know. */
export function sidecarTypeOf(record: Buffer, fail: (reason: string) => LedgerError): SidecarType | undefined {
  const fields = new FieldReader(record, fail)
  let type: SidecarType | undefined
  while (fields.next()) type = typeOfField[fields.field] ?? type
  return type
}

function sidecarError(name: string, reason: string, cause?: unknown): LedgerError {
  const step = 'Take the copy of another node; if every copy is like this, import without sidecars'
  return new LedgerError('sidecar_mismatch', `Sidecar ${name}: ${reason}. ${step}`, { file: name, reason }, cause)
}
