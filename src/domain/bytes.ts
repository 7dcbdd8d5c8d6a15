/** The bytes as a Buffer on the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** More than most values have. A Buffer of its own for each costs half as much as its digits, a copy hardly anything. */
const copied = Buffer.allocUnsafeSlow(4_096)

function textOf(bytes: Uint8Array, encoding: 'hex' | 'base64', from: number, to: number): string {
  if (Buffer.isBuffer(bytes)) return bytes.toString(encoding, from, to)
  if (bytes.length > copied.length) return asBuffer(bytes).toString(encoding, from, to)
  copied.set(bytes)
  return copied.toString(encoding, from, to)
}

/** Lower-case hex digits. */
export function hexOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return textOf(bytes, 'hex', from, to)
}

export function base64Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return textOf(bytes, 'base64', from, to)
}
