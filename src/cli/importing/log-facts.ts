import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dataMarkerName, folderOf, usesNoDataFolder } from '#src/cli/data-folder.ts'
import { withImportDeployment, withLog } from '#src/cli/importing/import-deployment.ts'
import { networkOf } from '#src/cli/importing/log-verb.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import { readImportState } from '#src/importer/state/read-state.ts'
import { LivingProcesses } from '#src/operations/living-processes.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { PresentProcess } from '#src/operations/presence.ts'

/** What a deployment knows of its network by now, whether an importer runs or not. */
export interface LogFacts {
  readonly network: string
  readonly generation: number
  /** As of the end of the serving log. */
  readonly state: ImportState
  /** Processes that import into it now, or stand by. */
  readonly importers: readonly PresentProcess[]
}

/** Undefined where nothing was imported here yet, so that there is no data folder. */
export async function findLogFacts(verb: VerbContext): Promise<LogFacts | undefined> {
  const { config } = verb
  if (!usesNoDataFolder(config) && !existsSync(join(resolve(config.data), dataMarkerName))) return undefined
  const folder = folderOf(config, undefined, 'existing')
  return withImportDeployment(verb, folder, async (deployment) => {
    const { stores } = deployment
    const { generation } = await readPlan(stores.controlStore)
    const processes = await new LivingProcesses(stores.controlStore).read()
    return withLog(deployment, generation, async (log) => ({
      network: await networkOf(deployment, log),
      generation,
      state: await readImportState({ log, store: stores.readStore, generation }),
      importers: processes.filter(({ imports }) => imports?.generation === generation),
    }))
  })
}
