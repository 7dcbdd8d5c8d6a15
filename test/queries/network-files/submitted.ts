import { encode, type Message } from '#src/simulator/codec.ts'

export const key = { ed25519: Buffer.alloc(32, 1) }

/** A serialized transaction with so many signatures of three bytes. */
export function signed(body: Message, signatures = 1): Uint8Array {
  const sigPair = Array.from({ length: signatures }, () => ({ ed25519: Buffer.alloc(3) }))
  const bodyBytes = encode('proto.TransactionBody', body)
  const signedTransactionBytes = encode('proto.SignedTransaction', { bodyBytes, sigMap: { sigPair } })
  return encode('proto.Transaction', { signedTransactionBytes })
}
