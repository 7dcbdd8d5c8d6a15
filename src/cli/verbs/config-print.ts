import type { Command } from 'commander'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { configMarkdown, configToJson, formatConfigTable } from '#src/config/print.ts'

const examples = `
Examples:
  ledger-history config print                             every value in force and where it comes from
  ledger-history config print --json > my-settings.json   a file to use with --config; put the secrets in
  ledger-history config print --markdown                  the reference page of all settings`

export function addConfigPrint(group: Command): void {
  const command = group.command('print').description('Show the configuration in force; secrets are redacted')
  addConfigOptions(command, 'all')
  command.option('--json', 'print JSON, in the shape of the configuration file')
  command.option('--markdown', 'print the reference page of all settings')
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async ({ loaded, terminal }) => {
      const { json, markdown } = command.opts<{ json?: boolean; markdown?: boolean }>()
      if (markdown) terminal.print(configMarkdown().trimEnd())
      else terminal.print(json ? JSON.stringify(configToJson(loaded), null, 2) : formatConfigTable(loaded))
    }),
  )
}
