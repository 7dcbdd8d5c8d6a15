import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addConfigPrint } from '#src/cli/verbs/config-print.ts'
import { addImportRun } from '#src/cli/verbs/import-run.ts'
import { addImportStatus } from '#src/cli/verbs/import-status.ts'
import { addNetworkSimulate } from '#src/cli/verbs/network-simulate.ts'
import { addProject } from '#src/cli/verbs/project.ts'
import { addProjectionsList, addProjectionsStatus } from '#src/cli/verbs/projections.ts'
import { addServe } from '#src/cli/verbs/serve.ts'
import { addStart } from '#src/cli/verbs/start.ts'

const about = `The history of a public ledger: record files verified, published as events, kept as read models, served over REST.

Start everything:  ledger-history start
Exit codes: 0 done, 1 a person is needed, 75 try again later.`

/** All verbs. `src/cli` is the only composition root: verbs and roles wire ports to adapters. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const program = new Command('ledger-history').description(about).version(version).showHelpAfterError('(see --help)')
  addStart(program)
  addServe(program)
  const importing = program.command('import').description('From a source of record files to the log')
  addImportRun(importing)
  addImportStatus(importing)
  addProject(program)
  const projections = program.command('projections').description('Read models')
  addProjectionsList(projections)
  addProjectionsStatus(projections)
  const network = program.command('network').description('The simulated network')
  addNetworkSimulate(network)
  const config = program.command('config').description('Configuration')
  addConfigPrint(config)
  return program
}
