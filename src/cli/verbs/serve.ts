import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { networkOfDeployment } from '#src/cli/log-network.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { assertPortIsFree } from '#src/cli/port.ts'
import { runRole } from '#src/cli/run-role.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'

const examples = `
Examples:
  ledger-history serve                                 answer from the read models in ./data
  ledger-history serve --data /var/ledger --port 8080  another folder and port; any number of them may run`

export function addServe(program: Command): void {
  const command = program.command('serve').description('Run the API alone, on read models that other processes keep')
  addConfigOptions(command, [...deploymentGroups, 'host', 'port', 'api', 'status', 'memory', 'log'])
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const { config, terminal } = verb
      const folder = folderOf(config, undefined, 'existing')
      const network = await networkUnlessAway(networkOfDeployment(config, folder, verb.logger))
      if (config.port !== 0) await assertPortIsFree(config.host, config.port)
      const onReady = ({ url }: { url?: string }): void => terminal.print(`API ${network} at ${url}/api/v1`)
      const { serve } = await import('#src/cli/roles/serve.ts')
      await runRole(serve, { verb, folder, finish: false, onReady })
    }),
  )
}

/** What a person calls the network. It answers in any case: a server that waits for its stores says so to its clients. */
async function networkUnlessAway(asked: Promise<string | null>): Promise<string> {
  try {
    const network = await asked
    return network === null ? 'of a log that is empty so far' : `of network "${network}"`
  } catch (error) {
    if (isLedgerError(error) && errorCatalogue[error.code].disposition === 'retry')
      return 'waiting for a log or store that is away,'
    throw error
  }
}
