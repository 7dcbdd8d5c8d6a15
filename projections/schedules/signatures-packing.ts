import { asBuffer } from '#src/domain/bytes.ts'

/** A signature that a schedule was given. */
export interface Signature {
  /** Consensus time of the transaction that brought it, ns. */
  readonly time: bigint
  /** Field number in SignaturePair. */
  readonly type: number
  readonly publicKeyPrefix: Uint8Array
  readonly signature: Uint8Array
}

const headBytes = 20

/** One after the other: time (8 bytes), type, length of the prefix, length of the signature (4 each), prefix, signature. */
export function packSignatures(signatures: readonly Signature[]): Buffer {
  return Buffer.concat(
    signatures.flatMap(({ time, type, publicKeyPrefix, signature }) => {
      const head = Buffer.alloc(headBytes)
      head.writeBigInt64BE(time, 0)
      head.writeInt32BE(type, 8)
      head.writeUInt32BE(publicKeyPrefix.length, 12)
      head.writeUInt32BE(signature.length, 16)
      return [head, publicKeyPrefix, signature]
    }),
  )
}

export function unpackSignatures(packed: Uint8Array): Signature[] {
  const bytes = asBuffer(packed)
  const signatures: Signature[] = []
  for (let at = 0; at < bytes.length; ) {
    const prefixEnd = at + headBytes + bytes.readUInt32BE(at + 12)
    const end = prefixEnd + bytes.readUInt32BE(at + 16)
    signatures.push({
      time: bytes.readBigInt64BE(at),
      type: bytes.readInt32BE(at + 8),
      publicKeyPrefix: bytes.subarray(at + headBytes, prefixEnd),
      signature: bytes.subarray(prefixEnd, end),
    })
    at = end
  }
  return signatures
}
