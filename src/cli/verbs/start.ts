import type { Command } from 'commander'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'

const examples = `
Examples:
  ledger-history start                                    a simulated network, importer, projections and API
  ledger-history start --port 8080 --data /var/ledger     other port and data folder
  ledger-history start --source ./streams --network demo  real record files from a folder shaped like a bucket
  ledger-history start --source ./streams --once          import and project what is there, then end with a summary
  ledger-history start --source s3://bucket --address-book book.bin --source-s3-access-key KEY`

export function addStart(program: Command): void {
  const command = program
    .command('start')
    .description('Run everything in one process: source, importer, projections and API')
  addConfigOptions(command, 'all')
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (context) => {
      const { startAll } = await import('#src/cli/start-all.ts')
      await startAll(context)
    }),
  )
}
