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
  let read: number
  try {
    const { buffer, engine } = unpackWithInfo(bytes, bytesMax)
    ;[unpacked, read] = [buffer, engine.bytesWritten]
  } catch (error) {
    throw fail(`its gzip stream cannot be unpacked (${(error as Error).message})`, error)
  }
  // The library ignores what follows the stream, this does not. The last four bytes tell the unpacked length, so that
  // there is but one stream.
  const source = asBuffer(bytes)
  if (read !== source.length || source.length < 18 || source.readUInt32LE(source.length - 4) !== unpacked.length) {
    throw fail('bytes follow the end of its gzip stream')
  }
  return unpacked
}

interface Unpacked {
  readonly buffer: Buffer
  /** `bytesWritten`: how much of the input the stream took. */
  readonly engine: { readonly bytesWritten: number }
}

/** The option `info` is documented, its result not typed. */
function unpackWithInfo(bytes: Uint8Array, maxOutputLength: number): Unpacked {
  const unpacked: unknown = gunzipSync(bytes, { maxOutputLength, info: true })
  return unpacked as Unpacked
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
