import type { FoundHook } from '#queries/hooks/find-hooks.ts'
import type { FoundSlot } from '#queries/hooks/slot-history.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** JSON text of a hook. The only extension point that there is stands for any number. */
export function renderHook(hook: FoundHook): string {
  const { adminKey, contractId, created, deleted, hookId, owner, from, until, type } = hook
  return (
    `{"admin_key":${renderKey(adminKey)},"contract_id":${idText(contractId)},` +
    `"created_timestamp":${timeText(created)},"deleted":${deleted === 1},"extension_point":"ACCOUNT_ALLOWANCE_HOOK",` +
    `"hook_id":${hookId},"owner_id":"${formatEntityId(owner)}",` +
    `"timestamp_range":{"from":"${formatLedgerTime(from)}","to":${timeText(until)}},"type":${JSON.stringify(type)}}`
  )
}

/** JSON text of a slot: 32 bytes each, whatever came on the wire. */
export function renderSlot({ key, value, time }: FoundSlot): string {
  return `{"key":"${word(key)}","timestamp":"${formatLedgerTime(time)}","value":${value === null ? 'null' : `"${word(value)}"`}}`
}

function word(bytes: Uint8Array): string {
  return `0x${hexOf(bytes).padStart(64, '0')}`
}
