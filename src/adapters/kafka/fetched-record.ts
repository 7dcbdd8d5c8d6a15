/** A record as a fetch returned it. Its headers are looked up when they are asked for: making texts of all doubles the cost. */
export interface FetchedRecord {
  readonly offset: number
  readonly key: string
  readonly value: Buffer
  /** What the record stands in, and where its headers begin there. */
  readonly data: Buffer
  readonly headersAt: number
}

/** Moves along as values are read. */
export interface Cursor {
  readonly data: Buffer
  at: number
}

const nothing = Buffer.alloc(0)
const names = new Map<string, Buffer>()

/** Reads a record, from behind its length on. Nulls are read as empty: we write none. */
export function readRecord(cursor: Cursor, baseOffset: number): FetchedRecord {
  const { data } = cursor
  // Attributes and the time, which is in a header exactly.
  cursor.at++
  readVarint(cursor)
  const offset = baseOffset + readVarint(cursor)
  const key = readText(cursor)
  const length = readVarint(cursor)
  const start = cursor.at
  if (length > 0) cursor.at += length
  const value = length > 0 ? data.subarray(start, cursor.at) : nothing
  return { offset, key, value, data, headersAt: cursor.at }
}

export function headerOf({ data, headersAt }: FetchedRecord, name: string): string | undefined {
  const wanted = bytesOf(name)
  const cursor: Cursor = { data, at: headersAt }
  for (let count = readVarint(cursor); count > 0; count--) {
    const length = readVarint(cursor)
    const start = cursor.at
    cursor.at += length
    if (length === wanted.length && isAt(data, start, wanted)) return readText(cursor)
    const skipped = readVarint(cursor)
    if (skipped > 0) cursor.at += skipped
  }
  return undefined
}

function bytesOf(name: string): Buffer {
  let bytes = names.get(name)
  if (!bytes) {
    bytes = Buffer.from(name)
    names.set(name, bytes)
  }
  return bytes
}

function isAt(data: Buffer, start: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index++) if (data[start + index] !== wanted[index]) return false
  return true
}

function readText(cursor: Cursor): string {
  const length = readVarint(cursor)
  if (length <= 0) return ''
  const start = cursor.at
  cursor.at += length
  return cursor.data.toString('utf8', start, cursor.at)
}

/** Zigzag, seven bits a byte. Plain numbers, since times in milliseconds exceed 32 bits. */
export function readVarint(cursor: Cursor): number {
  const { data } = cursor
  let byte = data[cursor.at++]!
  if (byte < 0x80) return byte & 1 ? -((byte + 1) >>> 1) : byte >>> 1
  let value = byte & 0x7f
  for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
    byte = data[cursor.at++]!
    value += (byte & 0x7f) * factor
  }
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}
