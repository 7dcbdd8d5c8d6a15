import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportDeployment } from '#src/cli/importing/import-deployment.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { isAnotherAtWork } from '#src/importer/standby.ts'
import { importStateOf } from '#src/importer/state-schema.ts'
import { forgetGeneration } from '#src/operations/decide.ts'
import type { Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'

/** An importer that writes a generation sees within a second that it is given up. */
const patienceMs = 15_000
const pollMs = 250

/**
 * Removes the log of a generation with the importer's state of it. The plan forgets it first, so that nobody opens it
 * again and its number is not used again; interrupted after that, the same prune finishes it. Rejects with
 * `operation_refused` while it serves or rows are folded from it.
 */
export async function pruneGeneration(
  { engines, stores, verb }: ImportDeployment,
  generation: number,
  dryRun: boolean,
): Promise<void> {
  const forget = (plan: Plan): Plan => forgetGeneration(plan, generation)
  if (dryRun) return void forget(await readPlan(stores.controlStore))
  await changePlan(stores.controlStore, forget)
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      await stores.readStore.remove(importStateOf(generation))
      return await engines.removeLog(generation)
    } catch (error) {
      const mayPass = isAnotherAtWork(error) && performance.now() < deadline && !verb.signal.aborted
      if (!mayPass) throw leftOver(engines.logName(generation), error)
    }
    await sleep(pollMs, undefined, { signal: verb.signal }).catch(() => undefined)
  }
}

function leftOver(name: string, cause: unknown): LedgerError {
  const message = `The log ${name} is given up, but could not be removed (${(cause as Error).message}); run the same command again`
  return new LedgerError('log_unavailable', message, { log: name }, cause)
}
