import { refreshGroup } from '#projections/status/order.ts'
import { pack, type StatusSource, shownStatus, unpack } from '#projections/status/packing.ts'
import { later, type StatusRows } from '#projections/status/page-rows.ts'
import type { ComponentRow } from '#projections/status/schema.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

type SourceName = Pick<StatusSource, 'source' | 'id'>

/** One source says something of a component, in place of what it said before. */
export function setSource(rows: StatusRows, component: string, source: StatusSource): void {
  changeSources(rows, component, source.from, source, [source])
}

/** One source says nothing any more. */
export function clearSource(rows: StatusRows, component: string, name: SourceName, at: string): void {
  changeSources(rows, component, at, name, [])
}

function changeSources(
  rows: StatusRows,
  id: string,
  at: string,
  name: SourceName,
  instead: readonly StatusSource[],
): void {
  const row = rows.get('components', id)
  if (row === undefined) return
  const { said, others } = split(row, name)
  endSpan(rows, id, said, at)
  const sources = [...others, ...instead]
  const status = shownStatus(sources)
  const updated = status === row.status ? row.updated : later(row.updated, at)
  rows.put('components', { ...row, sources: pack(sources), status, updated })
  refreshGroup(rows, row.groupId, at)
}

function split({ sources }: ComponentRow, { source, id }: SourceName) {
  const all = unpack<StatusSource>(sources)
  const said = all.find((each) => each.source === source && each.id === id)
  return { said, others: all.filter((each) => each !== said) }
}

/** What shows once a source says nothing any more. */
export function statusWithout(row: ComponentRow, name: SourceName): ComponentStatus {
  return shownStatus(split(row, name).others)
}

/** History of what a source said. Incidents tell theirs themselves, also where they were recorded afterwards. */
function endSpan(rows: StatusRows, component: string, said: StatusSource | undefined, until: string): void {
  if (said !== undefined && said.source !== 'incident') putSpan(rows, component, said, until)
}

export function putSpan(
  rows: StatusRows,
  component: string,
  { source, id: sourceId, status, masks, from }: StatusSource,
  until: string,
): void {
  if (status === 'operational' || from >= until) return
  rows.put('spans', { component, until, from, source, sourceId, status, masks: masks ? 1 : 0 })
}

/** Ends everything that is said of a component. */
export function endSources(rows: StatusRows, { id, sources }: ComponentRow, at: string): void {
  for (const said of unpack<StatusSource>(sources)) endSpan(rows, id, said, at)
}
