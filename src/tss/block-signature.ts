import { schnorrBytes } from '#src/tss/binding/schnorr.ts'
import { wrapsBytes } from '#src/tss/binding/wraps-proof.ts'
import { hintsKeyBytes } from '#src/tss/hints/key.ts'
import { hintsSignatureBytes } from '#src/tss/hints/signature.ts'
import type { ProofFail } from '#src/tss/proof-failure.ts'

/** How the key of a signature is tied to the ledger: by a signature of its first nodes, or by a proof over all changes of nodes. */
export type ProofForm = 'schnorr' | 'wraps'

export interface BlockSignature {
  readonly form: ProofForm
  /** Which the nodes agree on when they change; the same in many blocks. */
  readonly key: Uint8Array
  /** Over the block's hash. */
  readonly signature: Uint8Array
  /** Ties the key to the ledger. */
  readonly binding: Uint8Array
}

const signed = hintsKeyBytes + hintsSignatureBytes
const formsByLength: ReadonlyMap<number, ProofForm> = new Map([
  [signed + schnorrBytes, 'schnorr'],
  [signed + wrapsBytes, 'wraps'],
])

/** Its length alone tells the form. One that is not known is told apart from a wrong signature: the network may have moved on. */
export function splitBlockSignature(bytes: Uint8Array, fail: ProofFail): BlockSignature {
  const form = formsByLength.get(bytes.length)
  if (form === undefined) {
    const lengths = [...formsByLength.keys()].join(' and ')
    throw fail('form', `unsupported proof form, length ${bytes.length}; known are ${lengths} bytes`)
  }
  return {
    form,
    key: bytes.subarray(0, hintsKeyBytes),
    signature: bytes.subarray(hintsKeyBytes, signed),
    binding: bytes.subarray(signed),
  }
}
