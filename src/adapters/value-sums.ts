/**
 * A checksum of 32 bits that goes on from one value to the next. Each step is a bijection of what came before, so that a single
 * altered bit always shows. The platform's CRC-32 costs a call into native code for each value, four times as much on short ones.
 */
const prime = 0x9e3779b1 | 0
const laneSeeds = [0x85ebca77 | 0, 0xc2b2ae3d | 0, 0x27d4eb2f | 0, 0x165667b1 | 0] as const
const absent = 1

/** Values are hashed in pieces of so many bytes. */
const pieceBytes = 64 << 10
/** What is shorter is taken byte by byte: copying it costs more. */
const copiedMin = 24

const scratch = Buffer.alloc(pieceBytes + 16)
const words = new Int32Array(scratch.buffer, scratch.byteOffset, scratch.byteLength >> 2)
const wide = new Float64Array(1)
const wideInteger = new BigInt64Array(wide.buffer)
const halves = new Int32Array(wide.buffer)

/** Goes on with the value of a field, of whatever type: a damaged one may have another than was written. */
export function withValue(sum: number, value: unknown): number {
  if (typeof value === 'bigint') {
    wideInteger[0] = value
    return step(step(sum, halves[0]!), halves[1]!)
  }
  if (typeof value === 'number') return withNumber(sum, value)
  if (typeof value === 'string') return withText(sum, value)
  if (value === null || value === undefined) return step(sum, absent)
  return withBytes(sum, value as Uint8Array)
}

export function step(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, prime)
  return mixed ^ (mixed >>> 15)
}

function withNumber(sum: number, value: number): number {
  const integer = value | 0
  if (integer === value) return step(sum, integer)
  wide[0] = value
  return step(step(sum, halves[0]!), halves[1]!)
}

function withText(sum: number, text: string): number {
  const { length } = text
  if (length >= copiedMin) return withLongText(sum, text)
  let now = sum
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    // A surrogate without its other half is stored as something else: all of the text counts as its bytes then.
    if (code > 0x7f) return withLongText(sum, text)
    now = step(now, code)
  }
  return step(now, length)
}

function withLongText(sum: number, text: string): number {
  if (text.length * 3 > pieceBytes) return withPieces(sum, Buffer.from(text))
  return withScratch(sum, scratch.write(text, 0))
}

function withBytes(sum: number, bytes: Uint8Array): number {
  const { length } = bytes
  if (length >= copiedMin) return withPieces(sum, bytes)
  let now = sum
  for (let at = 0; at < length; at++) now = step(now, bytes[at]!)
  return step(now, length)
}

function withPieces(sum: number, bytes: Uint8Array): number {
  let now = sum
  let start = 0
  do {
    const piece = bytes.length > pieceBytes ? bytes.subarray(start, start + pieceBytes) : bytes
    scratch.set(piece, 0)
    now = withScratch(now, piece.length)
    start += pieceBytes
  } while (start < bytes.length)
  return now
}

/** Four sums beside each other, which the processor works on at once. */
function withScratch(sum: number, length: number): number {
  for (let at = length; (at & 15) !== 0; at++) scratch[at] = 0
  let [a, b, c, d] = laneSeeds as readonly [number, number, number, number]
  const end = ((length + 15) >> 4) << 2
  for (let at = 0; at < end; at += 4) {
    a = Math.imul(a ^ words[at]!, prime)
    a = (a << 13) | (a >>> 19)
    b = Math.imul(b ^ words[at + 1]!, prime)
    b = (b << 13) | (b >>> 19)
    c = Math.imul(c ^ words[at + 2]!, prime)
    c = (c << 13) | (c >>> 19)
    d = Math.imul(d ^ words[at + 3]!, prime)
    d = (d << 13) | (d >>> 19)
  }
  return step(step(step(step(step(sum, a), b), c), d), length)
}
