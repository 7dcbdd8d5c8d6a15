import type { Deployment } from '#src/cli/verbs/projections/deployment.ts'
import { pauseInstance } from '#src/cli/verbs/projections/pause.ts'
import { setPaused } from '#src/operations/decide.ts'
import type { NamedInstance } from '#src/operations/plan.ts'
import { changePlan } from '#src/operations/plan-store.ts'

/** How long the owner may take to let go. */
const waitMs = 30_000

/** Does work while nobody moves the instance, and lets it go on afterwards whatever happens, unless it was paused before. */
export async function whilePaused<T>(
  deployment: Deployment,
  { name, id, paused }: NamedInstance,
  work: () => Promise<T>,
): Promise<T> {
  if (paused) return work()
  try {
    await pauseInstance(deployment, name, id, waitMs)
    return await work()
  } finally {
    await changePlan(deployment.control, (plan) =>
      plan.readModels[name]?.instances[id] === undefined ? plan : setPaused(plan, name, id, false),
    )
  }
}
