import protobuf from 'protobufjs'
import { notPlain, skipBytes, skipVarint, startOf } from '#src/events/transcode/wire-values.ts'

const wireVarint = 0
const wireBytes = 2

/** Where the fields of a serialized message lie, found without decoding them. Used again for message after message. */
export class PlainFields {
  bytes: Buffer = Buffer.alloc(0)
  /** By field number, the place of its (first) value, where a length comes first; 0 for a field that is absent. */
  readonly places: Int32Array
  readonly #wires: Uint8Array
  readonly #repeated: Uint8Array

  /** Of a message type, those fields of it that a plain message may have. */
  constructor(type: protobuf.Type, names: readonly string[]) {
    const fields = names.map((name) => type.fields[name]!)
    const size = Math.max(...fields.map(({ id }) => id)) + 1
    this.places = new Int32Array(size)
    this.#wires = new Uint8Array(size).fill(0xff)
    this.#repeated = new Uint8Array(size)
    for (const { id, resolvedType, type: scalar, repeated } of fields) {
      this.#repeated[id] = repeated ? 1 : 0
      const isBytes = resolvedType instanceof protobuf.Type || scalar === 'bytes' || scalar === 'string'
      this.#wires[id] = isBytes ? wireBytes : wireVarint
    }
  }

  /** Throws `notPlain` at any other field, and at one that comes twice but should not. */
  find(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes
    const places = this.places.fill(0)
    let at = start
    while (at < end) {
      const byte = bytes[at++]!
      const tag = byte < 0x80 ? byte : (byte & 0x7f) | (bytes[at++]! << 7)
      const id = tag >> 3
      if (tag >= 0x4000 || this.#wires[id] !== (tag & 7)) throw notPlain
      if (places[id] === 0) places[id] = at
      else if (this.#repeated[id] === 0) throw notPlain
      at = (tag & 7) === wireVarint ? skipVarint(bytes, at) : skipBytes(bytes, at)
    }
    if (at !== end) throw notPlain
  }

  /** Looks into a field of another message; into nothing where that is absent. */
  findIn(fields: PlainFields, id: number): void {
    const place = fields.places[id]!
    const { bytes } = fields
    if (place === 0) this.find(bytes, 0, 0)
    else this.find(bytes, startOf(bytes, place), skipBytes(bytes, place))
  }
}
