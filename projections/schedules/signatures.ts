import { callerType, type ScheduleSignature } from '#projections/schedules/packing.ts'
import type { ScheduleSnapshotted, SignaturePair, TransactionRecorded } from '#schemas/events/types.ts'
import { base64Of } from '#src/domain/bytes.ts'

/** The signatures that a transaction brought, in its order. Of several with one public key the first counts. */
export function broughtSignatures({
  signatures,
  consensusTimestamp: time,
}: Pick<TransactionRecorded, 'signatures' | 'consensusTimestamp'>): ScheduleSignature[] {
  const bySigner = new Map<string, ScheduleSignature>()
  for (const pair of signatures) {
    const signer = base64Of(pair.pubKeyPrefix)
    const signed = signatureOf(pair)
    if (signed !== undefined && !bySigner.has(signer)) bySigner.set(signer, { time, signer, ...signed })
  }
  return [...bySigner.values()]
}

export function statedSignatures({ signatures }: Pick<ScheduleSnapshotted, 'signatures'>): ScheduleSignature[] {
  return signatures.map(({ consensusTimestamp: time, type, publicKeyPrefix, signature }) => {
    return { time, type, signer: base64Of(publicKeyPrefix), signature: base64Of(signature) }
  })
}

/** What stands for the signature of a contract that calls the schedule service. */
export function signatureOfCaller(contract: bigint, time: bigint): ScheduleSignature {
  return { time, type: callerType, signer: contract.toString(), signature: '' }
}

/** undefined for a kind that is newer than the definitions. */
function signatureOf(pair: SignaturePair): Pick<ScheduleSignature, 'type' | 'signature'> | undefined {
  if (pair.contract !== null) return { type: 2, signature: base64Of(pair.contract) }
  if (pair.ed25519 !== null) return { type: 3, signature: base64Of(pair.ed25519) }
  if (pair.RSA_3072 !== null) return { type: 4, signature: base64Of(pair.RSA_3072) }
  if (pair.ECDSA_384 !== null) return { type: 5, signature: base64Of(pair.ECDSA_384) }
  return pair.ECDSASecp256k1 === null ? undefined : { type: 6, signature: base64Of(pair.ECDSASecp256k1) }
}
