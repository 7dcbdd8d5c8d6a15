import { availableParallelism } from 'node:os'

/** More threads than this gain nothing: the slowest read model alone takes as long. */
const lanesMax = 4

/**
 * How many threads to fold on where the configuration leaves it open. Other threads of the process are not counted: while
 * there is much to fold they take a fifth of what folding takes, and otherwise nobody is busy.
 */
export function lanesByDefault(cores = availableParallelism()): number {
  return Math.min(lanesMax, cores)
}

/**
 * Spreads read models over lanes so that each has about as much to do: the costliest first, each to the lane with the least
 * so far. One whose cost is not known counts as the costliest. Lanes that would be empty are left out.
 */
export function assignLanes(
  names: readonly string[],
  costs: ReadonlyMap<string, number>,
  lanes: number,
): readonly (readonly string[])[] {
  const unknown = Math.max(1, ...costs.values())
  const costOf = (name: string): number => costs.get(name) ?? unknown
  const assigned = Array.from({ length: Math.min(lanes, names.length) }, () => ({ names: [] as string[], cost: 0 }))
  for (const name of [...names].sort((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1))) {
    const lane = assigned.reduce((least, each) =>
      each.cost < least.cost || (each.cost === least.cost && each.names.length < least.names.length) ? each : least,
    )
    lane.names.push(name)
    lane.cost += costOf(name)
  }
  return assigned.map((lane) => lane.names)
}
