import type { StatusCommand } from '#commands/status/commands.ts'
import {
  type ChangedComponent,
  draftId,
  type HealthBook,
  hasChanged,
  improved,
  isLess,
  isMasked,
  isOurs,
  isTold,
  opened,
  openIncidentOf,
  openingLevel,
  worsened,
} from '#commands/status/health/incidents.ts'
import type { DueCommand } from '#commands/status/maintenance-clock.ts'

/** What readers would be told of a change of level, if a person sends it, under an id by which the rules know that. */
export interface Draft extends DueCommand {
  readonly component_id: string
  /** When the level changed. */
  readonly at: string
}

/**
 * What the rules leave to people: incidents where the page is set to propose them, and news of incidents that are theirs. A
 * draft is gone when it was sent, when its incident was told of since, and when the next level takes its place.
 */
export function draftsOf(book: HealthBook): Draft[] {
  if (book.page?.automation === 'components') return []
  return [...book.components.values()].filter(hasChanged).flatMap((component) => {
    const { component_id, health_change } = component
    const command = isTold(book, component) ? undefined : draftFor(book, component)
    const { at } = health_change
    return command === undefined ? [] : [{ component_id, at, command_id: draftId(component), command }]
  })
}

function draftFor(book: HealthBook, component: ChangedComponent): StatusCommand | undefined {
  const { component_id, health_change: change } = component
  const incident = openIncidentOf(book, component)
  const isWell = isLess(change.status, openingLevel)
  if (!isWell && isMasked(book, component)) return undefined
  if (incident === undefined) return isWell || !isProposing(book) ? undefined : draftOf(opened(book, component))
  if (isOurs(incident) || change.at <= incident.last.at) return undefined
  if (!isWell) return worsened(book, component, incident)
  return incident.components.has(component_id) ? improved(book, component, incident) : undefined
}

function isProposing({ page }: HealthBook): boolean {
  return (page?.automation ?? 'propose') === 'propose'
}

/** Who sends it is its author. */
function draftOf({ automatic: _, ...command }: ReturnType<typeof opened>): StatusCommand {
  return command
}
