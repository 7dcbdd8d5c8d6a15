import { defineObject } from '#queries/common/define-object.ts'
import { int64, key, text } from '#queries/common/object-schema.ts'
import type { FoundHook } from '#queries/hooks/find-hooks.ts'
import type { FoundSlot } from '#queries/hooks/slot-history.ts'
import { entityText, idText, timeText, wordText } from '#src/domain/json-text.ts'
import { renderKey } from '#src/domain/public-key.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }
const timestampOrNull = { ...timestamp, nullable: true }

export const hookObject = defineObject<FoundHook>(
  {
    admin_key: [key, ({ adminKey }) => renderKey(adminKey)],
    contract_id: [{ ...text, nullable: true }, ({ contractId }) => idText(contractId)],
    created_timestamp: [timestampOrNull, ({ created }) => timeText(created)],
    deleted: [{ type: 'boolean' }, ({ deleted }) => deleted === 1],
    // The only one that there is stands for any number.
    extension_point: [{ ...text, enum: ['ACCOUNT_ALLOWANCE_HOOK'] }, () => '"ACCOUNT_ALLOWANCE_HOOK"'],
    hook_id: [int64, ({ hookId }) => hookId],
    owner_id: [text, ({ owner }) => entityText(owner)],
    timestamp_range: [
      { type: 'object', properties: { from: timestamp, to: timestampOrNull } },
      ({ from, until }) => `{"from":${timeText(from)},"to":${timeText(until)}}`,
    ],
    type: [{ ...text, enum: ['EVM'] }, ({ type }) => JSON.stringify(type)],
  },
  { title: 'Hook' },
)

/** 32 bytes each, whatever came on the wire. */
export const slotObject = defineObject<FoundSlot>(
  {
    key: [{ ...text, description: '0x and 64 hex digits' }, (slot) => wordText(slot.key)],
    timestamp: [timestamp, ({ time }) => timeText(time)],
    value: [
      { ...text, nullable: true, description: '0x and 64 hex digits; null when the slot was only read' },
      ({ value }) => (value === null ? null : wordText(value)),
    ],
  },
  { title: 'HookStorageSlot' },
)
