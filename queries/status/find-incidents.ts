import { type IncidentRow, statusSchema, type UpdateRow } from '#projections/status/schema.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import type { AnyQuery } from '#src/ports/read-store.ts'

/** An incident or maintenance with its newest steps. */
export interface WholeIncident {
  readonly incident: IncidentRow
  /** Newest first. */
  readonly updates: readonly UpdateRow[]
  /** The step from which on older ones were left out; undefined where these are all. */
  readonly older: UpdateRow | undefined
}

type Selection<Q> = Q extends unknown ? Omit<Q, 'collection' | 'limit' | 'select'> : never
type IncidentSelection = Selection<AnyQuery<typeof statusSchema, 'incidents', keyof IncidentRow>>
type UpdateSelection = Selection<AnyQuery<typeof statusSchema, 'updates', keyof UpdateRow, typeof byDisplay>>

const byDisplay = ['incident', 'displayAt', 'number'] as const
const incidentFields = Object.keys(statusSchema.collections.incidents.fields) as (keyof IncidentRow)[]
const updateFields = Object.keys(statusSchema.collections.updates.fields) as (keyof UpdateRow)[]
/** More than may be open at once. */
const openMax = 200
/** Steps read at once: each may be as long as a text may be. */
const updatesAtOnce = 10

/** Incidents and maintenances of these phases. */
export const phases = {
  unresolved: { index: ['kind', 'phase', 'sortsBy'], prefix: ['incident', 'open'], descending: true },
  upcoming: { index: ['kind', 'phase', 'sortsBy'], prefix: ['maintenance', 'upcoming'] },
  active: { index: ['kind', 'phase', 'sortsBy'], prefix: ['maintenance', 'active'] },
} as const satisfies Record<string, IncidentSelection>

/** Without their steps. */
export function findIncidents(
  { rows }: StatusContext,
  selection: IncidentSelection,
  limit = openMax,
): Promise<IncidentRow[]> {
  return rows.status.find({ collection: 'incidents', ...selection, limit, select: incidentFields })
}

/** Maintenances that come or are on, earliest first. */
export async function findPlanned(context: StatusContext): Promise<IncidentRow[]> {
  const found = [...(await findIncidents(context, phases.active)), ...(await findIncidents(context, phases.upcoming))]
  return found.sort((a, b) => compare(a.sortsBy, b.sortsBy) || compare(a.id, b.id))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** By id; undefined where there is none. */
export async function findIncident({ rows }: StatusContext, id: string): Promise<IncidentRow | undefined> {
  const [incident] = await rows.status.get('incidents', [[id]], incidentFields)
  return incident
}

/** All of them, latest beginning first, from one on; those that begin at one instant by their ids. */
export async function findHistory(context: StatusContext, from: IncidentRow, limit: number): Promise<IncidentRow[]> {
  const index = ['sortsBy', 'id'] as const
  const { sortsBy, id } = from
  const upper = { value: id, inclusive: true }
  const same = await findIncidents(context, { index, prefix: [sortsBy], upper, descending: true }, limit)
  if (same.length === limit) return same
  const earlier = { index, upper: { value: sortsBy, inclusive: false }, descending: true }
  return [...same, ...(await findIncidents(context, earlier, limit - same.length))]
}

/** The newest of all, where nothing says from which one on; before an instant where one is given. */
export function findNewest(context: StatusContext, before: string | undefined, limit: number): Promise<IncidentRow[]> {
  const upper = before === undefined ? {} : { upper: { value: before, inclusive: false } }
  return findIncidents(context, { index: ['sortsBy', 'id'], ...upper, descending: true }, limit)
}

/** One step of an incident; undefined where there is none with this id. */
export async function findUpdate(
  { rows }: StatusContext,
  incident: string,
  id: string,
): Promise<UpdateRow | undefined> {
  const [update] = await rows.status.get('updates', [[incident, id]], updateFields)
  return update
}

/**
 * Its newest steps, or those from one on, whose texts are no longer together than so many characters; always one. What is
 * left out is not read.
 */
export async function readWhole(
  context: StatusContext,
  incident: IncidentRow,
  charactersMax: number,
  from?: UpdateRow,
): Promise<WholeIncident> {
  const updates: UpdateRow[] = []
  let characters = 0
  for await (const update of newestFirst(context, incident.id, from)) {
    characters += update.html.length + update.body.length + (update.affected?.length ?? 0)
    if (updates.length > 0 && characters > charactersMax) return { incident, updates, older: update }
    updates.push(update)
  }
  return { incident, updates, older: undefined }
}

/** By the time shown to readers, and what was written later first. */
async function* newestFirst(
  { rows: { status } }: StatusContext,
  incident: string,
  from: UpdateRow | undefined,
): AsyncGenerator<UpdateRow> {
  const find = (query: Omit<UpdateSelection, 'index'>) =>
    status.find({
      collection: 'updates',
      index: byDisplay,
      ...query,
      descending: true,
      limit: updatesAtOnce,
      select: updateFields,
    })
  const behind = async (last: UpdateRow, inclusive: boolean): Promise<UpdateRow[]> => {
    const same = await find({
      prefix: [incident, last.displayAt],
      upper: { value: last.number, inclusive },
    })
    return same.length > 0 ? same : find({ prefix: [incident], upper: { value: last.displayAt, inclusive: false } })
  }
  let page = from === undefined ? await find({ prefix: [incident] }) : await behind(from, true)
  for (; page.length > 0; page = await behind(page.at(-1)!, false)) yield* page
}
