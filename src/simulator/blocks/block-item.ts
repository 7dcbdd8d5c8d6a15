import { encode, type Message } from '#src/simulator/codec.ts'

/** The bytes of a BlockItem: its tag, its length and what it holds. */
export type BlockItemBytes = Uint8Array

/** An item that holds one message, by the name of its field. */
export function blockItem(field: string, content: Message | Uint8Array): BlockItemBytes {
  return encode('com.hedera.hapi.block.stream.BlockItem', { [field]: content })
}

/** Number of the field that an item holds; all that are written here have tags of one byte. */
export function itemNumber(item: BlockItemBytes): number {
  return (item[0] ?? 0) >> 3
}

/** A field of bytes or of a message that is serialized already, which encoding again could change. */
export function rawField(number: number, bytes: Uint8Array): Buffer {
  const head = [(number << 3) | 2]
  let length = bytes.length
  for (; length > 0x7f; length = Math.floor(length / 0x80)) head.push((length & 0x7f) | 0x80)
  head.push(length)
  return Buffer.concat([Buffer.from(head), bytes])
}
