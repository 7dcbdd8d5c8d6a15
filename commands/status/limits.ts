import { refuse } from '#commands/status/refusals.ts'

/** How much there may be at once of what every page and document has to show. What is over counts no more. */
export const componentsMax = 500
export const openIncidentsMax = 100
export const openMaintenancesMax = 100
/** Of one incident or maintenance. Its end can be told all the same. */
export const updatesMax = 1_000

/** Refuses one more where there are as many as there may be. `remedy`: how there come to be fewer. */
export function assertRoom(count: number, max: number, what: string, remedy: string): void {
  if (count >= max) refuse('too_many', `There are ${count} ${what}, which is the most; ${remedy}`)
}
