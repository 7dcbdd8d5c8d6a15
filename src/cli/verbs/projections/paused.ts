import { type Deployment, watched } from '#src/cli/verbs/projections/deployment.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { setPaused } from '#src/operations/decide.ts'
import { pauseInstance } from '#src/operations/pause.ts'
import type { NamedInstance } from '#src/operations/plan.ts'
import { changePlan } from '#src/operations/plan-store.ts'

/** How long the owner may take to let go. */
const waitMs = 30_000

/**
 * Does work while nobody moves the instance, and lets it go on afterwards whatever happens, unless it was paused before. Where
 * the plan cannot be changed in the end, it says that the instance stays paused.
 */
export async function whilePaused<T>(
  deployment: Deployment,
  instance: NamedInstance,
  work: () => Promise<T>,
): Promise<T> {
  const { name, id, paused } = instance
  if (paused) return work()
  let result: T
  try {
    await pauseInstance(watched(deployment), name, id, waitMs)
    result = await work()
  } catch (error) {
    await letGoOn(deployment, instance).catch((err: unknown) => {
      const fields = { err, projection: name, instance: id }
      deployment.verb.logger.error(fields, 'an instance stays paused, since the plan cannot be changed; resume it')
    })
    throw error
  }
  await letGoOn(deployment, instance)
  return result
}

async function letGoOn({ control, next }: Deployment, { name, id }: NamedInstance): Promise<void> {
  try {
    await changePlan(control, (plan) =>
      plan.readModels[name]?.instances[id] === undefined ? plan : setPaused(plan, name, id, false),
    )
  } catch (error) {
    if (!isLedgerError(error)) throw error
    const resume = next(`projections resume ${name} --version ${id}`)
    throw new LedgerError(
      error.code,
      `${name} v${id} is still paused, since the plan cannot be changed: ${error.message}; run "${resume}" when it can`,
      { name, id },
      error,
    )
  }
}
