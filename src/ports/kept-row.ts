import type { Row } from '#src/ports/read-store.ts'

/** A row for keeping: with bytes of its own, for those that were put may change after the call. */
export function keptRow(row: Row): Row {
  let kept: Record<string, Row[string]> | undefined
  for (const [field, value] of Object.entries(row)) {
    if (!(value instanceof Uint8Array)) continue
    kept ??= { ...row }
    kept[field] = new Uint8Array(value)
  }
  return kept ?? row
}
