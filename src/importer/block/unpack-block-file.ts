import { zstdDecompressSync } from 'node:zlib'
import { asBuffer } from '#src/domain/bytes.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { gunzip, isGzip } from '#src/importer/record/gunzip.ts'

const zstdMagic = 0xfd2fb528

/**
 * The serialized Block in a file: packed with zstd or gzip, or as it is. What would have more than `bytesMax` is refused by its own
 * word or as soon as it does.
 */
export function unpackBlockFile(name: string, bytes: Uint8Array, bytesMax: number): Buffer {
  const source = asBuffer(bytes)
  const fail = (reason: string, cause?: unknown) => malformedBlock(name, reason, cause)
  if (isGzip(source)) return gunzip(source, fail, bytesMax)
  if (isZstd(source)) return unzstd(source, fail, bytesMax)
  if (source.length > bytesMax) throw fail(tooLarge(source.length, bytesMax))
  return source
}

export function isZstd(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === zstdMagic
}

function unzstd(source: Buffer, fail: (reason: string, cause?: unknown) => Error, bytesMax: number): Buffer {
  const told = contentSizeOf(source)
  if (told !== undefined && told > bytesMax) throw fail(tooLarge(told, bytesMax))
  try {
    const maxOutputLength = Math.max(1, told ?? bytesMax)
    return zstdDecompressSync(source, { maxOutputLength, chunkSize: chunkOf(told ?? chunkBytesMax) })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw fail(told === undefined ? tooLarge(undefined, bytesMax) : 'it holds more than it says', error)
    throw fail(`its zstd stream cannot be unpacked (${message})`, error)
  }
}

const chunkBytesMin = 64
const chunkBytesMax = 4 << 20

/** One piece where that is not too much to trust a promise with: several would be put together in the end. */
function chunkOf(told: number): number {
  return Math.max(chunkBytesMin, Math.min(told, chunkBytesMax))
}

/** Bytes that the frame says to unpack to; undefined where it does not say. RFC 8878, 3.1.1.1. */
function contentSizeOf(source: Buffer): number | undefined {
  const descriptor = source[4] ?? 0
  const sizeFlag = descriptor >> 6
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes
  if (source.length < at + 8) return undefined
  if (sizeFlag === 3) return Number(source.readBigUInt64LE(at))
  if (sizeFlag === 2) return source.readUInt32LE(at)
  if (sizeFlag === 1) return source.readUInt16LE(at) + 256
  return isSingleSegment ? source[at] : undefined
}

function tooLarge(bytes: number | undefined, bytesMax: number): string {
  const size = bytes === undefined ? 'more' : `${bytes} bytes`
  return `it unpacks to ${size}, more than the limit of ${bytesMax}; a network with larger blocks needs --block-mib-max raised`
}
