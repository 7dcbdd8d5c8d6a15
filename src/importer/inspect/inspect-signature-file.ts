import { type GivenTrust, withoutBook } from '#src/importer/inspect/given-trust.ts'
import { readRecordFile } from '#src/importer/inspect/inspect-record-file.ts'
import { failedOf, fails, holds, unchecked, type Verdict } from '#src/importer/inspect/verdict.ts'
import { dataFileName } from '#src/importer/record/file-name.ts'
import { readSignatureFile, type SignatureFile } from '#src/importer/record/signature-file.ts'
import { isSignedBy } from '#src/importer/verify/public-keys.ts'
import type { Trust, TrustedNode } from '#src/importer/verify/trust.ts'

/** What a signature file says, and what is to be believed of it. */
export interface SignatureFacts {
  readonly name: string
  readonly version: number
  /** Hex. */
  readonly fileHash: string
  readonly metadataHash: string | null
  readonly signatureBytes: number
  /** Whose key the signatures fit; null where none does, or nobody says who the nodes are. */
  readonly signedBy: bigint | null
  readonly signature: Verdict
  /** The file that was signed, and whether it is that. */
  readonly dataFile: string
  readonly data: Verdict
}

/** Bytes of a file beside the one that is looked at; undefined when there is none. */
export type ReadBeside = (name: string) => Buffer | undefined

/** Throws `signature_malformed`. */
export function inspectSignature(
  name: string,
  bytes: Buffer,
  { nodes }: GivenTrust,
  beside: ReadBeside,
): SignatureFacts {
  const signature = readSignatureFile(name, bytes)
  const { version, fileHash, metadataHash, fileSignature } = signature
  const signer = nodes && signerOf(signature, nodes)
  const dataFile = dataFileName(name, version)
  return {
    name,
    version,
    fileHash: fileHash.toString('hex'),
    metadataHash: metadataHash?.toString('hex') ?? null,
    signatureBytes: fileSignature.length,
    signedBy: signer?.nodeId ?? null,
    signature: signatureVerdict(nodes, signer),
    dataFile,
    data: dataVerdict(dataFile, signature, beside),
  }
}

/** The name of a file does not say which node it is of, the folder does; but only one key fits. */
function signerOf(signature: SignatureFile, { nodes }: Trust): TrustedNode | undefined {
  const { fileHash, fileSignature, metadataHash, metadataSignature } = signature
  return nodes.find(({ key }) => {
    if (!key || !isSignedBy(key, fileHash, fileSignature)) return false
    return !metadataHash || !metadataSignature || isSignedBy(key, metadataHash, metadataSignature)
  })
}

function signatureVerdict(nodes: Trust | undefined, signer: TrustedNode | undefined): Verdict {
  if (!nodes) return unchecked(withoutBook)
  if (signer) return holds
  return fails(`it fits the key of none of the ${nodes.nodes.length} nodes of the address book`)
}

function dataVerdict(dataFile: string, signature: SignatureFile, beside: ReadBeside): Verdict {
  const bytes = beside(dataFile)
  if (!bytes) return unchecked(`${dataFile} is not beside it`)
  try {
    return dataFits(readRecordFile(dataFile, bytes), signature)
  } catch (error) {
    return failedOf(error)
  }
}

function dataFits(file: ReturnType<typeof readRecordFile>, { fileHash, metadataHash }: SignatureFile): Verdict {
  if (!file.fileHash.equals(fileHash)) return fails(`it has the file hash ${file.fileHash.toString('hex')}`)
  if (metadataHash && !file.metadataHash?.equals(metadataHash)) return fails('it has another metadata hash')
  return holds
}
