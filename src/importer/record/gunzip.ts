import { gunzipSync } from 'node:zlib'
import { asBuffer } from '#src/domain/bytes.ts'
import type { Fail } from '#src/importer/record/byte-reader.ts'

/** Most bytes that one stream file may have when unpacked; far above what the network writes (some 10 MB). */
const fileBytesMax = 64 * 1024 * 1024

/** Unpacks a single gzip stream that fills the whole input, to at most `bytesMax`. */
export function gunzip(
  bytes: Uint8Array,
  fail: (reason: string, cause?: unknown) => ReturnType<Fail>,
  bytesMax = fileBytesMax,
): Buffer {
  let unpacked: Buffer
  try {
    unpacked = gunzipSync(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    throw fail(`its gzip stream cannot be unpacked (${(error as Error).message})`, error)
  }
  // The last four bytes tell the unpacked length. The library ignores what follows the stream, this does not.
  const source = asBuffer(bytes)
  if (source.length < 18 || source.readUInt32LE(source.length - 4) !== unpacked.length) {
    throw fail('bytes follow the end of its gzip stream')
  }
  return unpacked
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
