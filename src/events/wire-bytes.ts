/** A length-delimited field of a serialized message. */
export function bytesField(tag: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint(BigInt((tag << 3) | 2)), varint(BigInt(bytes.length)), bytes])
}

/** A field of an integer, which travels in as many bytes as it needs; a negative one in ten. */
export function numberField(tag: number, value: bigint): Buffer {
  return Buffer.concat([varint(BigInt(tag << 3)), varint(value)])
}

export function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}
