import { highWord, lowWord, whole, words } from '#src/domain/int64-words.ts'
import type { ListShape } from '#src/runtime/lists/levels.ts'

/** Parts of a record: kind uint8, term int64, time int64, then the payload; all big-endian. */
export const recordOffset = { term: 1, time: 9, payload: 17 } as const
/** Parts of an entry: time int64, then the payload. */
const timeBytes = 8
/** Bit of a record's kind that says: from here on entries of the term are in blocks. */
export const blocksBit = 0x80
export const kindMax = 0x7f

export function recordBytes({ payloadBytes }: ListShape): number {
  return recordOffset.payload + payloadBytes
}

export function entryBytes({ payloadBytes }: ListShape): number {
  return timeBytes + payloadBytes
}

/** A kind and a term as records have them: the term's halves are read as unsigned. */
export interface TermWords {
  readonly kind: number
  readonly high: number
  readonly low: number
}

export function termWords(kind: number, term: bigint): TermWords {
  whole[0] = term
  return { kind, high: words[highWord]!, low: words[lowWord]! }
}

export function composeInt64(high: number, low: number): bigint {
  words[highWord] = high
  words[lowWord] = low
  return whole[0]!
}

/** 32 bits that spread even consecutive terms evenly: the finaliser of MurmurHash3 on each half. */
export function hashTerm(kind: number, high: number, low: number): number {
  return mix(mix(low ^ Math.imul(kind + 1, 0x9e3779b1)) ^ high) >>> 0
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The payload, an unsigned number of 0 to 4 bytes. */
export function writePayload(view: DataView, offset: number, payloadBytes: number, payload: number): void {
  let rest = payload
  for (let at = offset + payloadBytes - 1; at >= offset; at--) {
    view.setUint8(at, rest & 0xff)
    rest >>>= 8
  }
}

/** Copies within small arrays, where a call of `set` would cost more than the bytes. */
export function copyBytes(from: Uint8Array, start: number, to: Uint8Array, at: number, count: number): void {
  for (let index = 0; index < count; index++) to[at + index] = from[start + index]!
}
