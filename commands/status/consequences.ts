import type { StatusEvent } from '#commands/status/events.ts'
import {
  type Cause,
  type Imposition,
  imposedKey,
  isActive,
  isUnresolved,
  type StatusView,
} from '#commands/status/state.ts'
import { worseImpact } from '#src/domain/status/effective-status.ts'

export interface Consequence {
  readonly event: StatusEvent
  readonly cause: Cause
}

/**
 * What follows from decisions and is not written down yet: components take over what incidents and maintenances say of
 * them, and an incident's impact rises with them. Told by what there is alone, so whoever asks next finishes what a crash
 * has interrupted, and nothing is written twice.
 */
export function consequencesOf(view: StatusView): Consequence[] {
  const wanted = wantedImpositions(view)
  return [...impositions(view, wanted), ...releases(view, wanted), ...raisedImpacts(view)]
}

type Wanted = Imposition & { readonly component_id: string; readonly cause: Cause }

function wantedImpositions({ incidents, maintenances }: StatusView): ReadonlyMap<string, Wanted> {
  const wanted: Wanted[] = []
  for (const incident of incidents.values()) {
    if (!isUnresolved(incident)) continue
    for (const [component_id, status] of incident.imposes) {
      const source = { source: 'incident', source_id: incident.incident_id } as const
      if (status !== 'operational')
        wanted.push({ ...source, component_id, status, mask_health: false, cause: incident.last })
    }
  }
  for (const maintenance of maintenances.values()) {
    if (!isActive(maintenance)) continue
    const { maintenance_id: source_id, mask_health, last: cause } = maintenance
    const imposition = { source: 'maintenance', source_id, status: 'under_maintenance', mask_health, cause } as const
    for (const component_id of maintenance.components) wanted.push({ ...imposition, component_id })
  }
  return new Map(wanted.map((each) => [`${each.component_id} ${imposedKey(each)}`, each]))
}

function* impositions({ components }: StatusView, wanted: ReadonlyMap<string, Wanted>): Generator<Consequence> {
  for (const { cause, ...imposition } of wanted.values()) {
    const component = components.get(imposition.component_id)
    if (component === undefined || component.removed) continue
    const held = component.imposed.get(imposedKey(imposition))
    if (held?.status === imposition.status && held.mask_health === imposition.mask_health) continue
    yield { event: { type: 'ComponentStatusImposed', data: { ...imposition, at: cause.at } }, cause }
  }
}

function* releases(view: StatusView, wanted: ReadonlyMap<string, Wanted>): Generator<Consequence> {
  for (const { component_id, imposed } of view.components.values())
    for (const { source, source_id } of imposed.values()) {
      if (wanted.has(`${component_id} ${imposedKey({ source, source_id })}`)) continue
      const known = (source === 'incident' ? view.incidents : view.maintenances).get(source_id)
      // Of one that cannot be folded nobody knows whether it is over.
      if (known === undefined) continue
      const { last: cause } = known
      yield {
        event: { type: 'ComponentStatusReleased', data: { component_id, source, source_id, at: cause.at } },
        cause,
      }
    }
}

function* raisedImpacts({ incidents }: StatusView): Generator<Consequence> {
  for (const { incident_id, impact: told, worst, override, last: cause } of incidents.values()) {
    const impact = worseImpact(told, worst)
    if (override !== null || impact === told) continue
    yield { event: { type: 'IncidentImpactRaised', data: { incident_id, impact, at: cause.at } }, cause }
  }
}
