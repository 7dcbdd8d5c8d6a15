import { gunzipSync } from 'node:zlib'
import { asBuffer } from '#src/domain/bytes.ts'
import type { Fail } from '#src/domain/field-reader.ts'

/** Most bytes that one stream file may have when unpacked; far above what the network writes (some 10 MB). */
const fileBytesMax = 64 * 1024 * 1024

const pieceBytesMax = 4 << 20
/** With room left the library need not ask whether more comes. */
const pieceSpareBytes = 64

/** Unpacks a single gzip stream that fills the whole input, to at most `bytesMax`. */
export function gunzip(
  bytes: Uint8Array,
  fail: (reason: string, cause?: unknown) => ReturnType<Fail>,
  bytesMax = fileBytesMax,
): Buffer {
  const source = asBuffer(bytes)
  if (source.length < 18) throw fail('its gzip stream cannot be unpacked (it is cut off)')
  // There is but one stream, so the last four bytes tell the unpacked length. What would come to more is refused by
  // looking at it, or where it lies, as soon as it does: unpacking a bomb from each node's folder takes long.
  const told = source.readUInt32LE(source.length - 4)
  if (told > bytesMax) {
    throw fail(
      `its gzip stream cannot be unpacked (it ends as one of ${told} bytes, more than ${bytesMax}: it is cut off or too large)`,
    )
  }
  let unpacked: Buffer
  let read: number
  try {
    const { buffer, engine } = unpackWithInfo(source, Math.max(1, told))
    ;[unpacked, read] = [buffer, engine.bytesWritten]
  } catch (error) {
    throw fail(`its gzip stream cannot be unpacked (${reasonOf(error)})`, error)
  }
  // The library ignores what follows the stream, this does not.
  if (read !== source.length || told !== unpacked.length) throw fail('bytes follow the end of its gzip stream')
  return unpacked
}

interface Unpacked {
  readonly buffer: Buffer
  /** `bytesWritten`: how much of the input the stream took. */
  readonly engine: { readonly bytesWritten: number }
}

/** The option `info` is documented, its result not typed. */
function unpackWithInfo(bytes: Uint8Array, maxOutputLength: number): Unpacked {
  // One piece where that is not too much to trust a promise with: several would be put together in the end.
  const chunkSize = Math.min(maxOutputLength, pieceBytesMax) + pieceSpareBytes
  const unpacked: unknown = gunzipSync(bytes, { maxOutputLength, chunkSize, info: true })
  return unpacked as Unpacked
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ERR_BUFFER_TOO_LARGE'
    ? 'it holds more than its end tells, or other bytes follow the end of it'
    : message
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
