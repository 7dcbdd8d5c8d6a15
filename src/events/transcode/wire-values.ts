import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'

// Values on the way from protobuf's wire to Avro's bytes, without an object or a bigint in between. Every function takes the
// bytes with the place of a value in them and what it writes to with the place there, and returns the place behind what it
// read or wrote. Writing beyond the end of the target does nothing; the caller looks at the place.

/** Thrown at bytes that are not as every producer writes them. One object, since it is met in the midst of much work. */
export const notPlain = new Error('These bytes are not in their plain form')

const maxVarintBytes = 10

/** Behind a varint; a longer one than its value needs is not plain. */
export function skipVarint(bytes: Uint8Array, at: number): number {
  if (bytes[at]! < 0x80) return at + 1
  const end = at + maxVarintBytes
  for (let next = at + 1; next < end; next++) {
    const byte = bytes[next]!
    if (byte < 0x80) {
      if (byte === 0 || (next === end - 1 && byte > 1)) throw notPlain
      return next + 1
    }
  }
  throw notPlain
}

/** Behind a length and as many bytes. */
export function skipBytes(bytes: Uint8Array, at: number): number {
  const length = bytes[at]!
  if (length < 0x80) return at + 1 + length
  return skipVarint(bytes, at) + lengthOf(bytes, at)
}

/** Behind a length. */
export function startOf(bytes: Uint8Array, at: number): number {
  return bytes[at]! < 0x80 ? at + 1 : skipVarint(bytes, at)
}

function lengthOf(bytes: Uint8Array, at: number): number {
  const length = numberAt(bytes, at)
  if (length > bytes.length) throw notPlain
  return length
}

const maxNumberBytes = 7

/** A varint below 2^49; greater ones are not plain here. */
export function numberAt(bytes: Uint8Array, at: number): number {
  let value = 0
  let unit = 1
  for (let next = at; next < at + maxNumberBytes; next++) {
    const byte = bytes[next]!
    if (byte < 0x80) return value + byte * unit
    value += (byte & 0x7f) * unit
    unit *= 0x80
  }
  throw notPlain
}

/** An int64 or uint64, unsigned values above 2^63-1 as their two's complement; or an int32 of at most four bytes. */
export function copyInt64(bytes: Uint8Array, at: number, target: Uint8Array, to: number): number {
  let next = at
  let place = to
  // Avro's zigzag of what is not negative is twice the value, so the bits move up by one from group to group.
  for (let carry = 0; next - at < maxVarintBytes - 1; ) {
    const byte = bytes[next++]!
    const group = ((byte & 0x7f) << 1) | carry
    carry = group >> 7
    if (byte >= 0x80) target[place++] = group | 0x80
    else if (carry === 0) {
      target[place++] = group
      return place
    } else {
      target[place++] = group | 0x80
      target[place++] = 1
      return place
    }
  }
  return writeInt64(negativeAt(bytes, at), target, to)
}

/** What takes ten bytes has its highest bit set. */
function negativeAt(bytes: Uint8Array, at: number): bigint {
  let value = 0n
  for (let index = 0; index < maxVarintBytes; index++) {
    value |= BigInt(bytes[at + index]! & 0x7f) << BigInt(7 * index)
  }
  return BigInt.asIntN(64, value)
}

const longestInt32 = 5
const lastByteMax = 0x0f

/** An int32 or the number of an enum that is not negative. */
export function copyInt32(bytes: Uint8Array, at: number, target: Uint8Array, to: number): number {
  const next = copyInt64(bytes, at, target, to)
  const length = next - to
  if (length < longestInt32 || (length === longestInt32 && target[next - 1]! <= lastByteMax)) return next
  throw notPlain
}

/** A sint64, which is the same in both. */
export function copyZigzag(bytes: Uint8Array, at: number, target: Uint8Array, to: number): number {
  let next = at
  let place = to
  while (bytes[next]! >= 0x80) target[place++] = bytes[next++]!
  target[place++] = bytes[next]!
  return place
}

export function copyBool(bytes: Uint8Array, at: number, target: Uint8Array, to: number): number {
  if (bytes[at]! > 1) throw notPlain
  target[to] = bytes[at]!
  return to + 1
}

/** Above this many bytes a call into the runtime is faster than a loop. */
const loopBytesMax = 32

/** A length and as many bytes. */
export function copyBytes(bytes: Uint8Array, at: number, target: Uint8Array, to: number): number {
  return copyRange(bytes, startOf(bytes, at), skipBytes(bytes, at), target, to)
}

/** The bytes of a range, with their number before them. */
export function copyRange(bytes: Uint8Array, start: number, end: number, target: Uint8Array, to: number): number {
  const place = writeNumber(end - start, target, to)
  const placeEnd = place + end - start
  if (end - start <= loopBytesMax) {
    for (let next = start, into = place; next < end; ) target[into++] = bytes[next++]!
    return placeEnd
  }
  if (end > bytes.length || placeEnd > target.length) throw notPlain
  target.set(bytes.subarray(start, end), place)
  return placeEnd
}

/** A length and as many bytes of text; only ASCII is plain, the rest may be no text at all. */
export function copyText(bytes: Uint8Array, at: number, target: Uint8Array, to: number): number {
  const end = skipBytes(bytes, at)
  for (let next = startOf(bytes, at); next < end; next++) if (bytes[next]! >= 0x80) throw notPlain
  return copyBytes(bytes, at, target, to)
}

/** A whole number from 0 to 2^52-1 as Avro's int or long. */
export function writeNumber(value: number, target: Uint8Array, to: number): number {
  let rest = value * 2
  let place = to
  for (; rest >= 0x8000_0000; rest = Math.floor(rest / 0x80)) target[place++] = (rest % 0x80) | 0x80
  for (; rest >= 0x80; rest >>>= 7) target[place++] = rest | 0x80
  target[place++] = rest
  return place
}

/** A signed 64-bit integer as Avro's long. */
export function writeInt64(value: bigint, target: Uint8Array, to: number): number {
  whole[0] = value
  const sign = (words[highWord]! | 0) >> 31
  let low = ((words[lowWord]! << 1) ^ sign) >>> 0
  let high = (((words[highWord]! << 1) | (words[lowWord]! >>> 31)) ^ sign) >>> 0
  let place = to
  for (; high !== 0; high >>>= 7) {
    target[place++] = low | 0x80
    low = ((low >>> 7) | (high << 25)) >>> 0
  }
  for (; low >= 0x80; low >>>= 7) target[place++] = low | 0x80
  target[place++] = low
  return place
}
