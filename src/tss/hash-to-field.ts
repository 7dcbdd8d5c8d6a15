import { createHash } from 'node:crypto'
import { bigEndianOf } from '#src/tss/numbers.ts'

const fieldBytes = 48
const pad = Buffer.alloc(fieldBytes)

/**
 * A number below `modulus` from any bytes: expand_message_xmd of RFC 9380 with SHA-256 to 48 bytes, but with a pad of 48 zero
 * bytes where the standard has the 64 of a block of SHA-256. The network's library does so for all of its challenges.
 */
export function hashToField(message: Uint8Array, tag: string, modulus: bigint): bigint {
  const tagged = Buffer.from([...Buffer.from(tag), tag.length])
  const first = sha256(pad, message, Buffer.of(0, fieldBytes, 0), tagged)
  const left = sha256(first, Buffer.of(1), tagged)
  const right = sha256(
    left.map((byte, at) => byte ^ (first[at] as number)),
    Buffer.of(2),
    tagged,
  )
  return bigEndianOf(Buffer.concat([left, right]).subarray(0, fieldBytes)) % modulus
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}
