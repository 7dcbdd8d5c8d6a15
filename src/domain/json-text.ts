import { hexOf } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** An entity's id as JSON text; 0 counts as none. */
export function idText(id: bigint | null): string {
  return id === null || id === 0n ? 'null' : `"${formatEntityId(id)}"`
}

/** The same of an id that is always there. */
export function entityText(id: bigint): string {
  return `"${formatEntityId(id)}"`
}

/** A ledger time (ns) as JSON text. */
export function timeText(time: bigint | null): string {
  return time === null ? 'null' : `"${formatLedgerTime(time)}"`
}

/** A range of ledger times without an end as JSON text. */
export function sinceText(from: bigint): string {
  return `{"from":${timeText(from)},"to":null}`
}

/** A flag as rows have it, 1 or 0, as JSON text. */
export function flagText(flag: number | null): string {
  return flag === null ? 'null' : flag === 1 ? 'true' : 'false'
}

/** 32 bytes as JSON text of hex digits, whatever is missing of them on the left. */
export function wordText(bytes: Uint8Array): string {
  return `"0x${hexOf(bytes).padStart(64, '0')}"`
}

/** A memo or name as the REST API can show it: the established service keeps no NUL. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
