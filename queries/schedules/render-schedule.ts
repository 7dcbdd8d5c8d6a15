import { type SignaturePlace, signaturePlaces } from '#projections/schedules/signatures-packing.ts'
import type { FoundSchedule } from '#queries/schedules/find-schedules.ts'
import { base64Of } from '#src/domain/bytes.ts'
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
  return (
    `{"admin_key":${renderKey(entity?.key ?? null)},"consensus_timestamp":"${formatLedgerTime(created)}",` +
    `"creator_account_id":${idOrNull(creator)},"deleted":${entity?.deleted === 1},` +
    `"executed_timestamp":${timeOrNull(executed)},"expiration_time":${timeOrNull(expiration)},` +
    `"memo":${JSON.stringify(entity?.memo ?? '')},"payer_account_id":${idOrNull(payer)},"schedule_id":"${formatEntityId(id)}",` +
    `"signatures":[${renderSignatures(schedule.signatures, time)}],"transaction_body":"${base64Of(body)}",` +
    `"wait_for_expiry":${waitForExpiry === 1}}`
  )
}

function renderSignatures(packed: Uint8Array, time: bigint): string {
  let rendered = ''
  for (const place of signaturePlaces(packed)) {
    if (place.time > time) continue
    rendered += `${rendered === '' ? '' : ','}${renderSignature(packed, place)}`
  }
  return rendered
}

function renderSignature(packed: Uint8Array, { time, type, prefixStart, prefixEnd, end }: SignaturePlace): string {
  const prefix = wrapped(base64Of(packed, prefixStart, prefixEnd))
  const signature = wrapped(base64Of(packed, prefixEnd, end))
  return (
    `{"consensus_timestamp":"${formatLedgerTime(time)}","public_key_prefix":"${prefix}",` +
    `"signature":"${signature}","type":"${signatureTypes[type] ?? 'UNKNOWN'}"}`
  )
}

const lineLength = 76

/** In lines, as established clients see it; a line break as JSON writes it. */
function wrapped(text: string): string {
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
