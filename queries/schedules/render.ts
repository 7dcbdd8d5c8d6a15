import { callerType, type ScheduleSignature, signatureTypes } from '#projections/schedules/packing.ts'
import type { FoundSchedule } from '#queries/schedules/find-schedules.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** JSON text of a schedule. */
export function renderSchedule(schedule: FoundSchedule): string {
  const { id, created, creator, payer, adminKey, memo, waits, body, executed, deleted, expiration } = schedule
  return (
    `{"admin_key":${renderKey(adminKey)},"consensus_timestamp":${timeText(created)},` +
    `"creator_account_id":${idText(creator)},"deleted":${deleted !== null},` +
    `"executed_timestamp":${timeText(executed)},"expiration_time":${timeText(expiration)},` +
    `"memo":${JSON.stringify(memo)},"payer_account_id":${idText(payer)},"schedule_id":${idText(id)},` +
    `"signatures":[${schedule.signatures.filter(isShown).map(renderSignature)}],` +
    `"transaction_body":"${body}","wait_for_expiry":${waits === 1}}`
  )
}

function isShown({ type }: ScheduleSignature): boolean {
  return type !== callerType
}

function renderSignature({ time, type, signer, signature }: ScheduleSignature): string {
  return (
    `{"consensus_timestamp":${timeText(time)},"public_key_prefix":"${inLines(signer)}",` +
    `"signature":"${inLines(signature)}","type":"${signatureTypes[type] ?? 'UNKNOWN'}"}`
  )
}

const lineLength = 76

/** As established clients see it. */
function inLines(text: string): string {
  let lines = text.slice(0, lineLength)
  for (let at = lineLength; at < text.length; at += lineLength) lines += `\\n${text.slice(at, at + lineLength)}`
  return lines
}
