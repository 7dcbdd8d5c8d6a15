import { readInt64 } from '#src/domain/int64-words.ts'

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

/** Where each signature begins, and where its parts end: bytes of their own would cost more than they are. */
export interface SignaturePlace {
  readonly time: bigint
  readonly type: number
  readonly prefixStart: number
  readonly prefixEnd: number
  readonly end: number
}

export function signaturePlaces(packed: Uint8Array): SignaturePlace[] {
  const places: SignaturePlace[] = []
  for (let at = 0; at < packed.length; ) {
    const prefixStart = at + headBytes
    const prefixEnd = prefixStart + readInt32(packed, at + 12)
    const end = prefixEnd + readInt32(packed, at + 16)
    places.push({ time: readInt64(packed, at), type: readInt32(packed, at + 8), prefixStart, prefixEnd, end })
    at = end
  }
  return places
}

function readInt32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
}
