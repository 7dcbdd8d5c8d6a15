import protobuf from 'protobufjs'
import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'

const bytesWire = 2
const signedTransaction = 4
const malformed = (reason: string) =>
  new LedgerError('file_malformed', `A block that the simulated block node is to serve is malformed: ${reason}`)

/** The items of a serialized Block, or of a set: each with its tag and length, sharing the memory of the block. */
export function itemsOf(block: Uint8Array): Buffer[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const fields = new FieldReader(bytes, malformed)
  const items: Buffer[] = []
  for (let start = 0; fields.next(); ) {
    const value = fields.bytes()
    const end = value.byteOffset - bytes.byteOffset + value.length
    items.push(bytes.subarray(start, end))
    start = end
  }
  return items
}

/** Runs of whole items, each of at most so many bytes; an item that is larger is alone. */
export function* setsOf(items: Iterable<Buffer>, bytesMax: number): Generator<Buffer> {
  let set: Buffer[] = []
  let size = 0
  for (const item of items) {
    if (size > 0 && size + item.length > bytesMax) {
      yield Buffer.concat(set, size)
      set = []
      size = 0
    }
    set.push(item)
    size += item.length
  }
  if (size > 0) yield Buffer.concat(set, size)
}

/** A block with one byte of an item in its middle changed. */
export function damaged(block: Uint8Array): Uint8Array {
  const copy = Buffer.from(block)
  const items = itemsOf(copy)
  const item = items[items.length >> 1]
  if (item) item.writeUInt8((item.at(-1) as number) ^ 1, item.length - 1)
  return copy
}

/** A block without the item in its middle. */
export function withoutItem(block: Uint8Array): Uint8Array {
  const items = itemsOf(block)
  return Buffer.concat(items.toSpliced(items.length >> 1, 1))
}

/** An item that says nothing in so many bytes: an unsigned transaction of zeros. */
export function fillingItem(bytes: number): Buffer {
  return lengthDelimited(1, lengthDelimited(signedTransaction, Buffer.alloc(bytes)))
}

export function lengthDelimited(field: number, value: Uint8Array): Buffer {
  const tag = protobuf.Writer.create()
    .uint32((field << 3) | bytesWire)
    .uint32(value.length)
    .finish()
  return Buffer.concat([tag, value], tag.length + value.length)
}
