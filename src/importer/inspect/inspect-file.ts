import { type FileForm, formOf } from '#src/importer/inspect/file-form.ts'
import type { GivenTrust } from '#src/importer/inspect/given-trust.ts'
import { type BlockFacts, type BlockFile, inspectBlock } from '#src/importer/inspect/inspect-block.ts'
import { type RecordFacts, readRecordFile, recordFacts } from '#src/importer/inspect/inspect-record-file.ts'
import { inspectSidecar, type SidecarFacts } from '#src/importer/inspect/inspect-sidecar-file.ts'
import { inspectSignature, type ReadBeside, type SignatureFacts } from '#src/importer/inspect/inspect-signature-file.ts'

/** What a file of a network's stream is. */
export type Inspection =
  | ({ readonly kind: 'block' } & BlockFacts)
  | ({ readonly kind: 'record'; readonly signatures: readonly SignatureFacts[] } & RecordFacts)
  | ({ readonly kind: 'signature' } & SignatureFacts)
  | ({ readonly kind: 'sidecar' } & SidecarFacts)

export interface InspectedFile extends BlockFile {
  readonly beside: ReadBeside
}

/** Says what a file is. Rejects where it does not have the form of what it seems to be. */
export async function inspectFile(file: InspectedFile, trust: GivenTrust): Promise<Inspection> {
  const { name, bytes, beside } = file
  const kind: FileForm = formOf(name, bytes)
  if (kind === 'block') return { kind, ...(await inspectBlock(file, trust)) }
  if (kind === 'signature') return { kind, ...inspectSignature(name, bytes, trust, beside) }
  if (kind === 'sidecar') return { kind, ...inspectSidecar(name, bytes) }
  return { kind, ...recordFacts(readRecordFile(name, bytes)), signatures: signaturesBeside(name, trust, beside) }
}

/** Of a record file the one signature that lies beside it, where one does: each node has a folder of its own. */
function signaturesBeside(name: string, trust: GivenTrust, beside: ReadBeside): SignatureFacts[] {
  const stem = name.replace(/(?:\.rcd)?(?:\.gz)?$/, '.rcd_sig')
  return [stem, `${stem}.gz`].flatMap((signature) => {
    const bytes = beside(signature)
    return bytes === undefined ? [] : [inspectSignature(signature, bytes, trust, beside)]
  })
}

/** Whether something of it was tried and does not hold. */
export function isBad(inspection: Inspection): boolean {
  if (inspection.kind === 'block') return inspection.proofs[0]?.verdict === 'fails'
  if (inspection.kind === 'signature') return isBadSignature(inspection)
  if (inspection.kind === 'sidecar') return false
  return inspection.runningHash.verdict === 'fails' || inspection.signatures.some(isBadSignature)
}

function isBadSignature({ signature, data }: SignatureFacts): boolean {
  return signature.verdict === 'fails' || data.verdict === 'fails'
}
