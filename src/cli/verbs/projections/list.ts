import type { Command } from 'commander'
import { keptProjections } from '#projections/index.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'

export function addProjectionsList(group: Command): void {
  const command = group.command('list').description('List the read models, and their versions, that this code keeps')
  addConfigOptions(command, ['log'])
  command.option('--json', 'print JSON').addHelpText('after', '\nExamples:\n  ledger-history projections list --json')
  command.action(() =>
    runVerb(command, async ({ terminal }) => {
      const rows = keptProjections.map(({ schema, handlers, orderFree }) => ({
        name: schema.name,
        version: schema.version,
        collections: Object.keys(schema.collections),
        reads: Object.keys(handlers),
        orderFree,
      }))
      if (command.opts<{ json?: boolean }>().json === true) terminal.print(JSON.stringify(rows))
      else
        for (const row of rows)
          terminal.print(
            `${row.name} v${row.version}  reads ${row.reads.join(', ')}  keeps ${row.collections.join(', ')}`,
          )
    }),
  )
}
