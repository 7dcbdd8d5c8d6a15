import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { networkOfDeployment } from '#src/cli/log-network.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runRole } from '#src/cli/run-role.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { formatProjections } from '#src/cli/verbs/projections/format.ts'

const examples = `
Examples:
  ledger-history project                          keep all read models up to date with the log
  ledger-history project --only transactions      only this one
  ledger-history project --once                   up to the end of the log, then end`

export function addProject(program: Command): void {
  const command = program.command('project').description('Keep read models up to date with the log')
  addConfigOptions(command, [...deploymentGroups, 'once', 'projection', 'log'])
  command.option('--only <name...>', 'names of the projections to run').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const folder = folderOf(verb.config, undefined, 'existing')
      await networkOfDeployment(verb.config, folder, verb.logger)
      const { only } = command.opts<{ only?: string[] }>()
      const { project } = await import('#src/cli/roles/project.ts')
      const board = await runRole(project, { verb, folder, ...(only ? { only } : {}), finish: verb.config.once })
      verb.terminal.print(formatProjections(board.projections))
    }),
  )
}
