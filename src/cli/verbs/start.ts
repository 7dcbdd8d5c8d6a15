import type { Command } from 'commander'
import { nextCommand } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, stopsSoon } from '#src/cli/run-verb.ts'

const examples = `
A data folder belongs to one network: files of another than the simulated one need --data, too.

Examples:
  ledger-history start                                       a simulated network, importer, projections and API
  ledger-history start --port 8080 --data /var/ledger        other port and data folder
  ledger-history start --source ./streams --data data-files  real record files from a folder shaped like a bucket
  ledger-history start --source ./streams --data data-files --once  import and project what is there, then end
  ledger-history start --source s3://bucket --data data-bucket --address-book book.bin --source-s3-access-key KEY`

export function addStart(program: Command): void {
  const command = program
    .command('start')
    .description('Run everything in one process: source, importer, projections and API')
  addConfigOptions(command, 'all')
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(
      command,
      async (context) => {
        const { startAll } = await import('#src/cli/start-all.ts')
        await startAll({ ...context, next: (verb) => nextCommand(verb, context.loaded, command) })
      },
      stopsSoon,
    ),
  )
}
