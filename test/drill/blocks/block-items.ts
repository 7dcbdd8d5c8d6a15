import { FieldReader } from '#src/domain/field-reader.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'

/** An item of a block: its number, what is in it, and the bytes of the whole BlockItem, tag and length included. */
export interface Item {
  readonly number: number
  readonly content: Buffer
  readonly bytes: Buffer
}

const impossible = (reason: string) => {
  throw new Error(`a block that was written here is malformed: ${reason}`)
}

/** The items of a serialized Block, in order. */
export function readItems(block: Buffer): Item[] {
  const fields = new FieldReader(block, impossible)
  const items: Item[] = []
  while (fields.next()) {
    const bytes = fields.bytes()
    const [field] = readFields(bytes)
    if (field) items.push({ number: field.number, content: field.value, bytes })
  }
  return items
}

export function item(number: number, content: Buffer): Item {
  return { number, content, bytes: bytesField(number, content) }
}

export function writeBlock(items: readonly Pick<Item, 'bytes'>[]): Buffer {
  return Buffer.concat(items.map(({ bytes }) => bytesField(1, bytes)))
}

export interface Field {
  readonly number: number
  /** What a field of bytes holds; the bytes of the number of any other. */
  readonly value: Buffer
  /** With tag and length. */
  readonly bytes: Buffer
}

/** The fields of a message, in order. */
export function readFields(message: Buffer): Field[] {
  const fields: Field[] = []
  let offset = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message[offset++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (offset < message.length) {
    const start = offset
    const tag = varint()
    const wire = tag & 7
    const from = offset
    const length = wire === 2 ? varint() : 0
    const valueAt = wire === 2 ? offset : from
    if (wire === 0) varint()
    else offset += wire === 2 ? length : wire === 1 ? 8 : 4
    fields.push({
      number: Math.floor(tag / 8),
      value: message.subarray(valueAt, offset),
      bytes: message.subarray(start, offset),
    })
  }
  return fields
}

/** A message of these fields. */
export function writeFields(fields: readonly Pick<Field, 'bytes'>[]): Buffer {
  return Buffer.concat(fields.map(({ bytes }) => bytes))
}

export function bytesFieldOf(number: number, value: Buffer): Field {
  return { number, value, bytes: bytesField(number, value) }
}
