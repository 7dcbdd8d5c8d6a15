import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import { generationFrom, withImportDeployment } from '#src/cli/importing/import-deployment.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { pruneGeneration } from '#src/cli/importing/prune-generation.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'

const examples = `
Examples:
  ledger-history import prune 1 --dry-run    check whether it could be done
  ledger-history import prune 1              remove a log that another generation replaced, or one given up`

export function addImportPrune(group: Command): void {
  const command = group
    .command('prune')
    .argument('<generation>', 'number of the log generation')
    .description('Remove a log generation that does not serve and that no read model is folded from, for good')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.option('--dry-run', 'check whether it could be done, and change nothing').addHelpText('after', examples)
  command.action((text: string) =>
    runVerb(command, async (verb) => {
      const generation = generationFrom(text)
      const folder = folderOf(verb.config, undefined, 'existing')
      const { dryRun = false } = command.opts<{ dryRun?: boolean }>()
      await withImportDeployment(verb, folder, async (deployment) => {
        const name = deployment.engines.logName(generation)
        await pruneGeneration(deployment, generation, dryRun)
        verb.terminal.print(
          dryRun
            ? `Would remove log generation ${generation}, ${name}`
            : `Removed log generation ${generation}, ${name}`,
        )
      })
    }),
  )
}
