import { nameServing } from '#src/cli/importing/close-retired.ts'
import {
  damageOf,
  generationState,
  generationsOf,
  type ImportDeployment,
  withLog,
} from '#src/cli/importing/import-deployment.ts'
import { importerSettings } from '#src/cli/importing/importer-settings.ts'
import { networkOfLog } from '#src/cli/log-network.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { isAnotherAtWork } from '#src/importer/standby.ts'
import { importStateOf } from '#src/importer/state/state-schema.ts'
import { forgetGeneration } from '#src/operations/decide.ts'
import type { Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { forgetSeen, readSeen } from '#src/operations/seen-log.ts'
import { rest } from '#src/ports/clock.ts'

/** An importer that writes a generation sees within a second that it is given up. */
const patienceMs = 15_000
const pollMs = 250

/**
 * Removes the log of a generation with the importer's state of it. The plan forgets it first, so that nobody opens it
 * again and its number is not used again; interrupted after that, the same prune finishes it. Rejects with
 * `operation_refused` while it serves or rows are folded from it, and where nothing is left of it.
 */
export async function pruneGeneration(
  deployment: ImportDeployment,
  generation: number,
  dryRun: boolean,
): Promise<void> {
  const { engines, stores, verb } = deployment
  const forget = (plan: Plan): Plan => forgetGeneration(plan, generation)
  const plan = await readPlan(stores.controlStore)
  if (forget(plan) === plan) await assertLeft(deployment, generation)
  if (dryRun) return
  await nameServingEverywhere(deployment, plan, generation)
  await changePlan(stores.controlStore, forget)
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      await stores.readStore.remove(importStateOf(generation))
      await engines.removeLog(generation)
      return await forgetSeen(stores.controlStore, generation)
    } catch (error) {
      const mayPass = isAnotherAtWork(error) && performance.now() < deadline && !verb.signal.aborted
      if (!mayPass) throw leftOver(engines.logName(generation), error)
    }
    await rest(pollMs, verb.signal)
  }
}

/** Of a generation that the plan has forgotten: whether an interrupted prune has left something. */
async function assertLeft({ engines, stores }: ImportDeployment, generation: number): Promise<void> {
  if (await engines.hasLog(generation)) return
  if ((await readSeen(stores.controlStore, generation)) !== undefined) return
  const state = await stores.readStore.openReader(importStateOf(generation))
  try {
    if ((await state.checkpoint()) !== undefined) return
  } finally {
    await state.close()
  }
  throw new LedgerError(
    'operation_refused',
    `Log generation ${generation} was pruned before, and nothing is left of it; "ledger-history import status" lists those that there are`,
    { generation },
  )
}

/**
 * No log may go on sending its subscribers to the one that goes: the importer sees to it while it works, and may not have
 * worked since the last promotion.
 */
async function nameServingEverywhere(deployment: ImportDeployment, plan: Plan, but: number): Promise<void> {
  const { verb, folder, engines, stores } = deployment
  const deadline = performance.now() + patienceMs
  const settled = generationsOf(plan).filter((each) => each !== but && generationState(plan, each) !== 'writing')
  for (const each of settled) {
    for (let done = false; !done; ) {
      try {
        const network =
          folder.marker.network ?? (await withLog(deployment, each, networkOfLog)) ?? networkNameOf(verb.config)
        await nameServing(each, {
          plan,
          engines,
          stores,
          folder,
          settings: importerSettings(verb.config, network, undefined),
        })
        done = true
      } catch (error) {
        done = damageOf(error) !== undefined
        if (done)
          verb.logger.warn({ generation: each, err: error }, 'a log cannot say any more which generation serves')
        else if (!isAnotherAtWork(error) || performance.now() >= deadline || verb.signal.aborted) throw error
        else await rest(pollMs, verb.signal)
      }
    }
  }
}

function leftOver(name: string, cause: unknown): LedgerError {
  const message = `The log ${name} is given up, but could not be removed (${(cause as Error).message}); run the same command again`
  return new LedgerError('log_unavailable', message, { log: name }, cause)
}
