import type { Command } from 'commander'
import { type DataFolder, folderOf } from '#src/cli/data-folder.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { networkOfDeployment } from '#src/cli/log-network.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { RolePool } from '#src/cli/role-pool.ts'
import type { ReadyReport } from '#src/cli/roles/role.ts'
import { runVerb, stopsSoon, type VerbContext } from '#src/cli/run-verb.ts'
import { startServing, threadsByDefault, threadsToServe } from '#src/cli/serving-threads.ts'
import { untilAborted } from '#src/cli/until-aborted.ts'
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
    runVerb(
      command,
      async (verb) => {
        const { config, terminal } = verb
        const folder = folderOf(config, undefined, 'existing')
        const threads = await threadsToServe(config, verb.logger, threadsByDefault())
        const network = await networkUnlessAway(networkOfDeployment(config, folder, verb.logger))
        const onReady = ({ url }: Pick<ReadyReport, 'url'>): void => {
          verb.outcome['url'] = url
          terminal.print(`API ${network} at ${url}/api/v1`)
        }
        await serveOnThreads(verb, folder, threads, onReady)
      },
      stopsSoon,
    ),
  )
}

/** Until the verb is told to stop, or one of them fails. */
async function serveOnThreads(
  { config, logger, terminal, signal }: VerbContext,
  folder: DataFolder,
  threads: number,
  onReady: (report: Pick<ReadyReport, 'url'>) => void,
): Promise<void> {
  const pool = new RolePool({
    settings: { config, folder },
    logger,
    onLog: (line) => terminal.log(line),
    onReport: () => undefined,
  })
  try {
    const stopped = untilAborted(signal)
    const url = await Promise.race([startServing(pool, { config, threads }), stopped])
    if (url !== undefined) onReady({ url })
    await Promise.race([pool.failed, stopped])
  } finally {
    await pool.stop()
  }
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
