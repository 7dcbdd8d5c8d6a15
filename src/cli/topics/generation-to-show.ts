import type { Engines } from '#src/cli/engines.ts'
import { assertGeneration, generationsOf, withLog } from '#src/cli/importing/import-deployment.ts'
import { successorNamed } from '#src/importer/close-log.ts'
import type { Plan } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'

/**
 * The generation that was asked for, else the one that serves. Topics say themselves which one took their place, as
 * subscribers know it, so whoever looks at Kafka needs no store.
 */
export async function generationToShow(engines: Engines, asked: number | undefined): Promise<number> {
  if (engines.listGenerations === undefined) {
    const plan = await planOf(engines)
    if (asked !== undefined) assertGeneration(generationsOf(plan), asked)
    return asked ?? plan.generation
  }
  const listed = await engines.listGenerations()
  // The first one may not have been written yet.
  const known = listed.length === 0 ? [1] : listed
  if (asked === undefined) return followSuccessors(engines, known)
  assertGeneration(known, asked)
  return asked
}

export async function planOf(engines: Engines): Promise<Plan> {
  const stores = await engines.openStores()
  try {
    return await readPlan(stores.controlStore)
  } finally {
    await stores.close()
  }
}

/** From the oldest: a newer one is not read until one names it. */
async function followSuccessors(engines: Engines, known: readonly number[]): Promise<number> {
  const visited: number[] = []
  let next = known[0]
  while (next !== undefined && known.includes(next) && !visited.includes(next)) {
    visited.push(next)
    next = await withLog({ engines }, next, async (log) => successorNamed(log, await log.head()))
  }
  return visited.at(-1)!
}
