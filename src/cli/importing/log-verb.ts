import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import {
  assertGeneration,
  generationFrom,
  generationsOf,
  type ImportDeployment,
  withImportDeployment,
} from '#src/cli/importing/import-deployment.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { networkOfLog } from '#src/cli/log-network.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

/** The log that a verb looks at, and how it tells what it sees. */
export interface LogLook {
  readonly deployment: ImportDeployment
  readonly command: Command
  readonly generation: number
  readonly json: boolean
}

export interface LogVerb {
  readonly name: string
  readonly description: string
  readonly examples: string
  readonly work: (look: LogLook) => Promise<void>
}

/** Adds a verb that looks at one generation of the log, the serving one unless another is named. */
export function addLogVerb(group: Command, { name, description, examples, work }: LogVerb): void {
  const command = group.command(name).description(description)
  addConfigOptions(command, [...deploymentGroups, 'source', 'blocks', 'cutover', 'import', 'log'])
  command.option('--generation <n>', 'log generation to look at; the serving one unless given')
  command.option('--json', 'print JSON').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const folder = folderOf(verb.config, undefined, 'existing')
      await withImportDeployment(verb, folder, async (deployment) => {
        const { json = false, generation: asked } = command.opts<{ json?: boolean; generation?: string }>()
        const plan = await readPlan(deployment.stores.controlStore)
        const generation = asked === undefined ? plan.generation : generationFrom(asked)
        assertGeneration(generationsOf(plan), generation)
        await work({ deployment, command, generation, json })
      })
    }),
  )
}

/** The network that a log is of, as the data folder, the log itself or the settings say. */
export async function networkOf({ folder, verb }: ImportDeployment, log: MessageLog): Promise<string> {
  // A log that cannot be read names none; what the caller does with it next says why it cannot.
  return folder.marker.network ?? (await networkOfLog(log).catch(() => undefined)) ?? networkNameOf(verb.config)
}
