/** A value in the metadata trailer of a code. */
export type TrailerValue = Buffer | string | boolean | number

/** What a trailer says, by name. */
export type TrailerValues = ReadonlyMap<string, TrailerValue>

const lengthBytes = 2
const major = { unsigned: 0, bytes: 2, text: 3, map: 5, simple: 7 } as const

/** What the bytes of a trailer say, its two bytes of length included; undefined where they are none. */
export function parseTrailer(bytes: Buffer): TrailerValues | undefined {
  const end = bytes.length - lengthBytes
  if (end < 1 || bytes.readUInt16BE(end) !== end) return undefined
  const values = new Map<string, TrailerValue>()
  const head = headAt(bytes, 0, end)
  if (head?.major !== major.map) return undefined
  let at = head.next
  for (let count = 0; count < head.value; count++) {
    const name = valueAt(bytes, at, end)
    const value = name && valueAt(bytes, name.next, end)
    if (value === undefined || typeof name?.value !== 'string') return undefined
    values.set(name.value, value.value)
    at = value.next
  }
  return at === end ? values : undefined
}

/** Where the trailer at the end of a code begins; undefined where it has none. */
export function lastTrailerStart(code: Buffer): number | undefined {
  if (code.length < lengthBytes) return undefined
  const start = code.length - lengthBytes - code.readUInt16BE(code.length - lengthBytes)
  return start >= 0 && parseTrailer(code.subarray(start)) !== undefined ? start : undefined
}

/** Whether it holds a hash of the metadata, which names and comments are part of. */
export function hasMetadataHash(values: TrailerValues | undefined): boolean {
  return values !== undefined && ['ipfs', 'bzzr0', 'bzzr1'].some((name) => values.has(name))
}

/** The compiler's version, where the trailer says it: three bytes of a release, the text of another build. */
export function compilerIn(values: TrailerValues | undefined): string | undefined {
  const version = values?.get('solc')
  if (Buffer.isBuffer(version)) return version.length === 3 ? version.join('.') : undefined
  return typeof version === 'string' ? version : undefined
}

function headAt(bytes: Buffer, at: number, end: number) {
  if (at >= end) return undefined
  const first = bytes[at]!
  const small = first & 0x1f
  if (small < 24) return { major: first >> 5, value: small, next: at + 1 }
  const width = { 24: 1, 25: 2, 26: 4 }[small]
  if (width === undefined || at + 1 + width > end) return undefined
  return { major: first >> 5, value: bytes.readUIntBE(at + 1, width), next: at + 1 + width }
}

function valueAt(bytes: Buffer, at: number, end: number): { value: TrailerValue; next: number } | undefined {
  const head = headAt(bytes, at, end)
  if (head === undefined) return undefined
  const { value, next } = head
  if (head.major === major.unsigned) return { value, next }
  if (head.major === major.simple) return value === 20 || value === 21 ? { value: value === 21, next } : undefined
  if (next + value > end) return undefined
  const content = bytes.subarray(next, next + value)
  if (head.major === major.bytes) return { value: content, next: next + value }
  return head.major === major.text ? { value: content.toString('utf8'), next: next + value } : undefined
}
