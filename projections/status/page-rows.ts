import { type PageRow, pageSlot, type StatusSchema, unconfiguredPage } from '#projections/status/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

export type StatusRows = FoldedRows<StatusSchema>

export function pageOf(rows: Pick<StatusRows, 'get'>): PageRow {
  return rows.get('pages', pageSlot) ?? unconfiguredPage
}

export function later(one: string, other: string): string {
  return one > other ? one : other
}
