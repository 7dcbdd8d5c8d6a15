import type { Signature } from '#projections/schedules/text-packing.ts'
import type { SignaturePair } from '#schemas/events/types.ts'

/** The signatures that a transaction brought, in its order. Of several with one public key the first counts. */
export function broughtSignatures(pairs: readonly SignaturePair[], time: bigint): Signature[] {
  const seen = new Set<string>()
  return pairs.flatMap((pair) => {
    const { pubKeyPrefix: publicKeyPrefix } = pair
    const key = publicKeyPrefix.toString('latin1')
    const signed = signatureOf(pair)
    if (seen.has(key) || signed === undefined) return []
    seen.add(key)
    return [{ time, publicKeyPrefix, ...signed }]
  })
}

/** What stands for the signature of a contract that calls the schedule service. */
export function byCaller(time: bigint): Omit<Signature, 'signature'> {
  return { time, type: 0, publicKeyPrefix: new Uint8Array(0) }
}

/** undefined for a kind that is newer than the definitions. */
function signatureOf(pair: SignaturePair): Pick<Signature, 'type' | 'signature'> | undefined {
  if (pair.contract !== null) return { type: 2, signature: pair.contract }
  if (pair.ed25519 !== null) return { type: 3, signature: pair.ed25519 }
  if (pair.RSA_3072 !== null) return { type: 4, signature: pair.RSA_3072 }
  if (pair.ECDSA_384 !== null) return { type: 5, signature: pair.ECDSA_384 }
  return pair.ECDSASecp256k1 === null ? undefined : { type: 6, signature: pair.ECDSASecp256k1 }
}
