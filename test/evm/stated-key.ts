/** A key as the vectors write it. */
export interface StatedKey {
  readonly ed25519?: string
  readonly ecdsa?: string
  readonly contractId?: number
  readonly delegatableContractId?: number
  readonly threshold?: number
  readonly keys?: readonly StatedKey[]
}

/** The same as serialized protobuf Key; null where there is none. */
export function keyBytes(key: StatedKey | undefined): Buffer | null {
  if (key === undefined) return null
  if (key.ed25519 !== undefined) return field(2, Buffer.from(key.ed25519, 'hex'))
  if (key.ecdsa !== undefined) return field(7, Buffer.from(key.ecdsa, 'hex'))
  if (key.contractId !== undefined) return field(1, numbered(3, key.contractId))
  if (key.delegatableContractId !== undefined) return field(8, numbered(3, key.delegatableContractId))
  const list = Buffer.concat((key.keys ?? []).map((each) => field(1, keyBytes(each) ?? Buffer.alloc(0))))
  if (key.threshold === undefined) return field(6, list)
  return field(5, Buffer.concat([numbered(1, key.threshold), field(2, list)]))
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes])
}

function numbered(number: number, value: number): Buffer {
  return Buffer.from([number << 3, ...varint(value)])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}
