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

const about =
  'The history of a public ledger: record files verified, published as events, kept as read models, served over REST.'

const examples = `
Examples:
  ledger-history start                                              everything in one process, on a simulated network
  ledger-history start --data data-files --source ./streams --once  import a folder of record files
  ledger-history projections status                                 how far the read models are
  ledger-history start --help                                       all settings, and more examples

Exit codes: 0 done, 1 a person is needed, 75 try again later, 130 stopped by a second Ctrl-C.`

/** All verbs. `src/cli` is the only composition root: verbs and roles wire ports to adapters. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const program = new Command('ledger-history')
    .description(about)
    .version(version)
    .showHelpAfterError('(see --help)')
    .addHelpText('after', examples)
  addStart(program)
  addServe(program)
  const importing = addGroup(program, 'import', 'From a source of record files to the log: run, status', [
    'import run --source ./streams --data data-files --once',
    'import status --data data-files',
  ])
  addImportRun(importing)
  addImportStatus(importing)
  addProject(program)
  const projections = addGroup(program, 'projections', 'Read models: list, status', [
    'projections list',
    'projections status --json',
  ])
  addProjectionsList(projections)
  addProjectionsStatus(projections)
  const network = addGroup(program, 'network', 'The simulated network: simulate', [
    'network simulate --out ./streams --blocks 100',
  ])
  addNetworkSimulate(network)
  const config = addGroup(program, 'config', 'Configuration: print', ['config print', 'config print --json'])
  addConfigPrint(config)
  return program
}

/** A noun whose verbs are added to it; the description names them, for the list of commands. */
function addGroup(program: Command, name: string, description: string, examplesOfGroup: readonly string[]): Command {
  const lines = examplesOfGroup.map((example) => `\n  ledger-history ${example}`).join('')
  return program.command(name).description(description).addHelpText('after', `\nExamples:${lines}`)
}
