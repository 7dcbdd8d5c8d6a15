import type { Fail } from '#src/domain/field-reader.ts'
import { bigEndianBytes, bigEndianOf, blsPrime } from '#src/tss/numbers.ts'

const coordinateBytes = 48
export const g1Bytes = 2 * coordinateBytes
export const g2Bytes = 4 * coordinateBytes

const compressedFlag = 0x80
const infinityFlag = 0x40
const signFlag = 0x20
const half = bigEndianBytes((blsPrime - 1n) / 2n, coordinateBytes)
const prime = bigEndianBytes(blsPrime, coordinateBytes)

/**
 * The coordinates of a point in the form without compression, each 48 bytes big-endian and below the prime; undefined for infinity.
 * Whether they are a point of the curve is for the library to say.
 */
export function readCoordinates(bytes: Uint8Array, what: string, fail: Fail): Uint8Array[] | undefined {
  const flags = bytes[0] as number
  if (flags & (compressedFlag | signFlag)) throw fail(`${what} has flags of the compressed form`)
  if (flags & infinityFlag) {
    if (flags !== infinityFlag || bytes.subarray(1).some((byte) => byte !== 0)) {
      throw fail(`${what} is marked as infinity and has other bytes`)
    }
    return undefined
  }
  const coordinates = Array.from({ length: bytes.length / coordinateBytes }, (_, at) =>
    bytes.subarray(at * coordinateBytes, (at + 1) * coordinateBytes),
  )
  if (coordinates.some((one) => Buffer.compare(one, prime) >= 0))
    throw fail(`${what} has a coordinate beyond its field`)
  return coordinates
}

export function infinityBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes[0] = infinityFlag
  return bytes
}

/** The compressed form of a point whose coordinates were read: x, and in the flags which y. Transcripts have points so. */
export function compress(bytes: Uint8Array): Buffer {
  const middle = bytes.length / 2
  const compressed = Buffer.from(bytes.subarray(0, middle))
  const flags = compressed[0] as number
  const sign = !(flags & infinityFlag) && isLarger(bytes.subarray(middle)) ? signFlag : 0
  compressed[0] = flags | compressedFlag | sign
  return compressed
}

/** Whether y is the larger one of y and -y. Of two parts the first one that is not zero decides. */
function isLarger(y: Uint8Array): boolean {
  const first = y.subarray(0, coordinateBytes)
  const decides = y.length > coordinateBytes && first.every((byte) => byte === 0) ? y.subarray(coordinateBytes) : first
  return Buffer.compare(decides, half) > 0
}

export function numbersOf(coordinates: readonly Uint8Array[]): bigint[] {
  return coordinates.map(bigEndianOf)
}
