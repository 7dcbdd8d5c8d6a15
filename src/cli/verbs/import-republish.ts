import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import { hasSource, withImportDeployment } from '#src/cli/importing/import-deployment.ts'
import { deploymentGroups, nextCommand } from '#src/cli/importing/next-command.ts'
import { describeRepublish, Republish } from '#src/cli/importing/republish.ts'
import { networkOfDeployment } from '#src/cli/log-network.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { LedgerError } from '#src/domain/errors.ts'

const examples = `
The serving log stays as it is and goes on growing. The new one has its own importer, this process, which follows the source
until the new log is promoted. Interrupted, it goes on where it was: run the same command again.

Examples:
  ledger-history import republish --source ./streams --reason 'earlier history'
  ledger-history import republish --source ./streams --start-date 2023-01-01 --once
  ledger-history import republish --source ./streams --dry-run    say what would be written, and change nothing`

interface Options {
  readonly reason?: string
  readonly dryRun?: boolean
}

export function addImportRepublish(group: Command): void {
  const command = group
    .command('republish')
    .description('Write a new log generation beside the serving one: earlier history, a gap, a decoding fix')
  addConfigOptions(command, [...deploymentGroups, 'once', 'source', 'blocks', 'cutover', 'import', 'log'])
  command.option('--reason <text>', 'why it is written, for those who see it later')
  command.option('--dry-run', 'say what would be done').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const folder = folderOf(verb.config, undefined, 'existing')
      const network = await networkOfDeployment(verb.config, folder, verb.logger)
      if (!hasSource(verb, folder)) {
        throw new LedgerError('config_invalid', 'import republish needs --source, the files to write the new log from')
      }
      const { reason = 'republished', dryRun = false } = command.opts<Options>()
      const commandFor = (text: string): string => nextCommand(text, verb.loaded, command)
      await withImportDeployment(verb, folder, async (deployment) => {
        if (dryRun) verb.terminal.print(await describeRepublish(deployment, reason))
        else await new Republish({ deployment, network, reason, commandFor }).run()
      })
    }),
  )
}
