import type { hooksSchema, SlotRow } from '#projections/hooks/schema.ts'
import { type SlotChange, trimValue } from '#projections/hooks/storage-updates.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof hooksSchema>

/** Writes a change, and what it makes of the slot. */
export function changeSlot(rows: Rows, change: SlotChange, time: bigint): void {
  const written = change.valueWritten && trimValue(change.valueWritten)
  const before = rows.get('slots', change.owner, change.hookId, change.key) ?? neverWritten(change)
  putChange(rows, change, time)
  rows.put('slots', { ...before, ...(written && writtenAt(before, written, time)), changed: time, written })
}

function writtenAt(before: SlotRow, value: Buffer, time: bigint): Partial<SlotRow> {
  return {
    value,
    created: before.deleted === 0 ? before.created : time,
    modified: time,
    deleted: value.length === 0 ? 1 : 0,
  }
}

type SlotKey = Pick<SlotRow, 'owner' | 'hookId' | 'key'>

export function neverWritten({ owner, hookId, key }: SlotKey): SlotRow {
  return { owner, hookId, key, value: null, created: null, modified: null, deleted: 1, changed: -1n, written: null }
}

/** A change for readers of the past. */
export function putChange(rows: Rows, { owner, hookId, key, valueRead, valueWritten }: SlotChange, time: bigint): void {
  const written = valueWritten && trimValue(valueWritten)
  const read = valueRead && trimValue(valueRead)
  rows.put('slotChanges', { owner, hookId, key, time, valueRead: read, valueWritten: written })
  rows.put('storages', { owner, hookId, changed: time })
}
