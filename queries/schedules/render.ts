import { callerType, type ScheduleSignature, signatureTypes } from '#projections/schedules/packing.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { key, text } from '#queries/common/object-schema.ts'
import type { FoundSchedule } from '#queries/schedules/find-schedules.ts'
import { entityText, idText, timeText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

const bytes = { ...text, format: 'byte' }
const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const timestampOrNull = { ...timestamp, nullable: true }
const id = { ...text, nullable: true, description: 'Entity id' }
const flag = { type: 'boolean' }
const types = { ...text, enum: [...Object.values(signatureTypes), 'UNKNOWN'] }

const signatureObject = defineObject<ScheduleSignature>(
  {
    consensus_timestamp: [timestamp, ({ time }) => timeText(time)],
    public_key_prefix: [bytes, ({ signer }) => inLines(signer)],
    signature: [bytes, ({ signature }) => inLines(signature)],
    type: [types, ({ type }) => `"${signatureTypes[type] ?? 'UNKNOWN'}"`],
  },
  { title: 'ScheduleSignature' },
)

export const scheduleObject = defineObject<FoundSchedule>(
  {
    admin_key: [key, ({ adminKey }) => renderKey(adminKey)],
    consensus_timestamp: [timestamp, ({ created }) => timeText(created)],
    creator_account_id: [id, ({ creator }) => idText(creator)],
    deleted: [flag, ({ deleted }) => deleted !== null],
    executed_timestamp: [timestampOrNull, ({ executed }) => timeText(executed)],
    expiration_time: [timestampOrNull, ({ expiration }) => timeText(expiration)],
    memo: [text, ({ memo }) => JSON.stringify(memo)],
    payer_account_id: [id, ({ payer }) => idText(payer)],
    schedule_id: [text, ({ id }) => entityText(id)],
    signatures: [{ type: 'array', items: signatureObject.schema }, renderSignatures],
    transaction_body: [{ ...bytes, description: 'Serialized SchedulableTransactionBody' }, ({ body }) => `"${body}"`],
    wait_for_expiry: [flag, ({ waits }) => waits === 1],
  },
  { title: 'Schedule' },
)

/** That of a contract is none that established clients see. */
function renderSignatures({ signatures }: FoundSchedule): string {
  return `[${signatures.filter(({ type }) => type !== callerType).map(signatureObject.render)}]`
}

const lineLength = 76

/** As established clients see it. */
function inLines(base64: string): string {
  let lines = base64.slice(0, lineLength)
  for (let at = lineLength; at < base64.length; at += lineLength) lines += `\\n${base64.slice(at, at + lineLength)}`
  return `"${lines}"`
}
