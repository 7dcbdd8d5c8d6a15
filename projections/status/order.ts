import { pack, unpack } from '#projections/status/packing.ts'
import { later, type StatusRows } from '#projections/status/page-rows.ts'
import { type ComponentRow, topParent } from '#projections/status/schema.ts'
import { worstStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

/** Puts a component in at a position, from 1; those from there on move down. Behind all others unless given. */
export function insertChild(
  rows: StatusRows,
  { id, groupId }: ComponentRow,
  position: number | null,
  at: string,
): void {
  const children = childrenOf(rows, groupId)
  const index = Math.min(position ?? Number.POSITIVE_INFINITY, children.length + 1) - 1
  putChildren(rows, groupId, children.toSpliced(index, 0, id), at)
}

/** Those behind it move up. */
export function takeOutChild(rows: StatusRows, { id, groupId }: ComponentRow, at: string): void {
  const others = childrenOf(rows, groupId).filter((child) => child !== id)
  putChildren(rows, groupId, others, at)
}

function childrenOf(rows: StatusRows, groupId: string | null): string[] {
  return unpack<string>(rows.get('parents', groupId ?? topParent)?.children ?? '[]')
}

function putChildren(rows: StatusRows, groupId: string | null, children: readonly string[], at: string): void {
  rows.put('parents', { id: groupId ?? topParent, children: pack(children) })
  for (const [index, id] of children.entries()) {
    const row = rows.get('components', id)
    const position = index + 1
    if (row === undefined || row.position === position) continue
    rows.put('components', { ...row, position, updated: later(row.updated, at) })
  }
  refreshGroup(rows, groupId, at)
}

/** A group shows the worst of its components. */
export function refreshGroup(rows: StatusRows, groupId: string | null, at: string): void {
  const group = groupId === null ? undefined : rows.get('components', groupId)
  if (group === undefined) return
  const statuses = childrenOf(rows, groupId).map((id) => rows.get('components', id)?.status)
  const status = worstStatus(statuses.filter((each) => each !== undefined) as ComponentStatus[])
  if (status !== group.status) rows.put('components', { ...group, status, updated: later(group.updated, at) })
}
