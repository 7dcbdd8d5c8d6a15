import { type PageRow, pageSlot, type StatusSchema, unconfiguredPage } from '#projections/status/schema.ts'
import type { Position } from '#src/ports/message-log.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

export type StatusRows = FoldedRows<StatusSchema>

export function pageOf(rows: Pick<StatusRows, 'get'>): PageRow {
  return rows.get('pages', pageSlot) ?? unconfiguredPage
}

/** Every event changes the page: notes when, and by which. */
export function touchPage(rows: StatusRows, at: string, sequence: Position, changes: Partial<PageRow> = {}): void {
  const page = pageOf(rows)
  rows.put('pages', { ...page, ...changes, updated: later(page.updated, at), position: BigInt(sequence) })
}

export function later(one: string, other: string): string {
  return one > other ? one : other
}
