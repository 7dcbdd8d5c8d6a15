import { isZstd } from '#src/importer/block/unpack-block-file.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { gunzip, isGzip } from '#src/importer/record/gunzip.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import { readSignatureFile } from '#src/importer/record/signature-file.ts'

export type FileForm = 'block' | 'record' | 'signature' | 'sidecar'

const blockPattern = /\.blk(?:\.[a-z]+)?$/
const recordVersions: ReadonlySet<number> = new Set([1, 2, 5, 6])
/** Of the field `items` of a serialized Block. */
const firstItemTag = 0x0a
const signatureBytesMax = 64 * 1024

/**
 * What a file is: by its name where that is one of the network's, else by how it begins. A sidecar is told by its name alone.
 * Throws `file_malformed` where neither says it.
 */
export function formOf(name: string, bytes: Buffer): FileForm {
  if (blockPattern.test(name)) return 'block'
  const named = parseStreamFileName(name)
  if (named) return named.kind
  if (isSignature(name, bytes)) return 'signature'
  const content = isGzip(bytes) ? gunzip(bytes, (reason, cause) => malformed(name, reason, cause)) : bytes
  if (content.length >= 4 && recordVersions.has(content.readInt32BE(0))) return 'record'
  if (content[0] === firstItemTag || isZstd(bytes)) return 'block'
  throw malformed(name, 'neither its name nor how it begins is that of a block, a record file or a signature file')
}

function isSignature(name: string, bytes: Buffer): boolean {
  if (bytes.length > signatureBytesMax) return false
  try {
    readSignatureFile(name, bytes)
    return true
  } catch {
    return false
  }
}
