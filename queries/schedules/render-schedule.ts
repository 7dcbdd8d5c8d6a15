import { type Signature, unpackSignatures } from '#projections/schedules/signatures-packing.ts'
import type { FoundSchedule } from '#queries/schedules/find-schedules.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** Names of kinds of signatures by their field number in SignaturePair. */
export const signatureTypes: Readonly<Record<number, string>> = {
  2: 'CONTRACT',
  3: 'ED25519',
  4: 'RSA_3072',
  5: 'ECDSA_384',
  6: 'ECDSA_SECP256K1',
}

/** JSON text of a schedule, with the signatures that it had at a time (ns). */
export function renderSchedule({ schedule, entity }: FoundSchedule, time: bigint): string {
  const { created, creator, executed, expiration, payer, id, body, waitForExpiry } = schedule
  const signatures = unpackSignatures(schedule.signatures).filter((each) => each.time <= time)
  return (
    `{"admin_key":${renderKey(entity?.key ?? null)},"consensus_timestamp":"${formatLedgerTime(created)}",` +
    `"creator_account_id":${idOrNull(creator)},"deleted":${entity?.deleted === 1},` +
    `"executed_timestamp":${timeOrNull(executed)},"expiration_time":${timeOrNull(expiration)},` +
    `"memo":${JSON.stringify(entity?.memo ?? '')},"payer_account_id":${idOrNull(payer)},"schedule_id":"${formatEntityId(id)}",` +
    `"signatures":[${signatures.map(renderSignature).join(',')}],"transaction_body":"${base64(body)}",` +
    `"wait_for_expiry":${waitForExpiry === 1}}`
  )
}

function renderSignature({ time, type, publicKeyPrefix, signature }: Signature): string {
  return (
    `{"consensus_timestamp":"${formatLedgerTime(time)}","public_key_prefix":"${wrapped(publicKeyPrefix)}",` +
    `"signature":"${wrapped(signature)}","type":"${signatureTypes[type] ?? 'UNKNOWN'}"}`
  )
}

function base64(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64')
}

const lineLength = 76

/** In lines, as established clients see it; a line break as JSON writes it. */
function wrapped(bytes: Uint8Array): string {
  const text = base64(bytes)
  let lines = text.slice(0, lineLength)
  for (let at = lineLength; at < text.length; at += lineLength) lines += `\\n${text.slice(at, at + lineLength)}`
  return lines
}

function timeOrNull(time: bigint | null): string {
  return time === null ? 'null' : `"${formatLedgerTime(time)}"`
}

function idOrNull(id: bigint | null): string {
  return id === null ? 'null' : `"${formatEntityId(id)}"`
}
