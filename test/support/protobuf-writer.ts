/** Enough protobuf encoding to build messages by hand in tests, independent of the code under test. */
export function varintField(field: number, value: bigint | number): Buffer {
  return Buffer.concat([varint(BigInt(field) << 3n), varint(BigInt.asUintN(64, BigInt(value)))])
}

export function bytesField(field: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts)
  return Buffer.concat([varint((BigInt(field) << 3n) | 2n), varint(BigInt(value.length)), value])
}

export function textField(field: number, value: string): Buffer {
  return bytesField(field, Buffer.from(value))
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    const byte = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? byte | 0x80 : byte)
  } while (rest > 0n)
  return Buffer.from(bytes)
}
