import type { Command } from 'commander'
import { openExistingDataFolder } from '#src/cli/data-folder.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { assertPortIsFree } from '#src/cli/port.ts'
import { runRole } from '#src/cli/run-role.ts'
import { runVerb } from '#src/cli/run-verb.ts'

const examples = `
Examples:
  ledger-history serve                                 answer from the read models in ./data
  ledger-history serve --data /var/ledger --port 8080  another folder and port; any number of them may run`

export function addServe(program: Command): void {
  const command = program.command('serve').description('Run the API alone, on read models that other processes keep')
  addConfigOptions(command, ['data', 'network', 'host', 'port', 'api', 'log'])
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const { config, terminal } = verb
      const folder = openExistingDataFolder(config.data, config.network)
      if (config.port !== 0) await assertPortIsFree(config.host, config.port)
      const onReady = ({ url }: { url?: string }): void =>
        terminal.print(`API of network "${folder.marker.network}" at ${url}/api/v1`)
      const { serve } = await import('#src/cli/roles/serve.ts')
      await runRole(serve, { verb, folder, finish: false, onReady })
    }),
  )
}
