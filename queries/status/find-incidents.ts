import { type IncidentRow, statusSchema, type UpdateRow } from '#projections/status/schema.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import type { TypedQuery } from '#src/ports/read-store.ts'

/** An incident or maintenance with all its steps, newest first. */
export interface WholeIncident {
  readonly incident: IncidentRow
  readonly updates: readonly UpdateRow[]
}

type IncidentQuery = TypedQuery<typeof statusSchema, 'incidents', keyof IncidentRow>
interface IncidentSelection extends Pick<IncidentQuery, 'index' | 'prefix' | 'lower' | 'descending'> {
  /** All unless given. */
  readonly limit?: number
}

const incidentFields = Object.keys(statusSchema.collections.incidents.fields) as (keyof IncidentRow)[]
const updateFields = Object.keys(statusSchema.collections.updates.fields) as (keyof UpdateRow)[]
/** More than a page has at once of open incidents, or of the steps of one; a larger read follows where it has. */
const rowsAtFirst = 200

/** Incidents and maintenances of these phases. */
export const phases = {
  unresolved: { index: ['kind', 'phase', 'sortsBy'], prefix: ['incident', 'open'], descending: true },
  upcoming: { index: ['kind', 'phase', 'sortsBy'], prefix: ['maintenance', 'upcoming'] },
  active: { index: ['kind', 'phase', 'sortsBy'], prefix: ['maintenance', 'active'] },
} as const satisfies Record<string, IncidentSelection>

export async function findIncidents(context: StatusContext, selection: IncidentSelection): Promise<WholeIncident[]> {
  const { limit, ...query } = selection
  const { status } = context.rows
  const read = (count: number): Promise<IncidentRow[]> =>
    status.find({ collection: 'incidents', ...query, limit: count, select: incidentFields })
  const found = limit === undefined ? await readAll(read) : await read(limit)
  const whole: WholeIncident[] = []
  for (const incident of found) whole.push(await withUpdates(context, incident))
  return whole
}

/** By id; undefined where there is none. */
export async function findIncident(context: StatusContext, id: string): Promise<WholeIncident | undefined> {
  const [incident] = await context.rows.status.get('incidents', [[id]], incidentFields)
  return incident === undefined ? undefined : withUpdates(context, incident)
}

async function withUpdates({ rows }: StatusContext, incident: IncidentRow): Promise<WholeIncident> {
  const updates = await readAll((limit) =>
    rows.status.find({
      collection: 'updates',
      index: ['incident', 'id'],
      prefix: [incident.id],
      limit,
      select: updateFields,
    }),
  )
  return { incident, updates: updates.sort(newestFirst) }
}

function newestFirst(a: UpdateRow, b: UpdateRow): number {
  if (a.displayAt !== b.displayAt) return a.displayAt < b.displayAt ? 1 : -1
  return b.number - a.number
}

/** Everything that a query finds, by asking for more until there is no more. */
async function readAll<T>(read: (limit: number) => Promise<T[]>): Promise<T[]> {
  for (let limit = rowsAtFirst; ; limit *= 8) {
    const found = await read(limit)
    if (found.length < limit) return found
  }
}
