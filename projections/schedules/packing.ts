/** Names of kinds of signatures by their field number in SignaturePair. */
export const signatureTypes: Readonly<Record<number, string>> = {
  2: 'CONTRACT',
  3: 'ED25519',
  4: 'RSA_3072',
  5: 'ECDSA_384',
  6: 'ECDSA_SECP256K1',
}

/** In place of a field number: the contract that calls for it, which signs with itself. */
export const callerType = -1

/** A signature that a schedule was given. */
export interface ScheduleSignature {
  /** Consensus time of the transaction that brought it, ns. */
  readonly time: bigint
  /** Field number in SignaturePair, or callerType. */
  readonly type: number
  /** What the public key begins with, usually all of it, in base64; of a contract its encoded id. */
  readonly signer: string
  /** Base64; empty of a contract. */
  readonly signature: string
}

const end = '\n'

/** As text, since a value of bytes costs a reader four times as much. More may follow behind. */
export function packSignatures(signatures: readonly ScheduleSignature[]): string {
  return signatures.map(({ time, type, signer, signature }) => `${time},${type},${signer},${signature}${end}`).join('')
}

export function unpackSignatures(packed: string): ScheduleSignature[] {
  const lines = packed.split(end)
  return lines.slice(0, -1).map((line) => {
    const [time = '', type = '', signer = '', signature = ''] = line.split(',')
    return { time: BigInt(time), type: Number(type), signer, signature }
  })
}
