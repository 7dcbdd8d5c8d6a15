import { Command } from 'commander'
import { codeVersion } from '#src/cli/code-version.ts'
import { addOutcomeOptions } from '#src/cli/outcome.ts'
import { addBackup } from '#src/cli/verbs/backup.ts'
import { addConfigPrint } from '#src/cli/verbs/config-print.ts'
import { addImportDetectGaps } from '#src/cli/verbs/import-detect-gaps.ts'
import { addImportInspect } from '#src/cli/verbs/import-inspect.ts'
import { addImportNodes } from '#src/cli/verbs/import-nodes.ts'
import { addImportPromote } from '#src/cli/verbs/import-promote.ts'
import { addImportPrune } from '#src/cli/verbs/import-prune.ts'
import { addImportReady } from '#src/cli/verbs/import-ready.ts'
import { addImportRepublish } from '#src/cli/verbs/import-republish.ts'
import { addImportRun } from '#src/cli/verbs/import-run.ts'
import { addImportStatus } from '#src/cli/verbs/import-status.ts'
import { addImportVerify } from '#src/cli/verbs/import-verify.ts'
import { addNetworkSimulate } from '#src/cli/verbs/network-simulate.ts'
import { addProject } from '#src/cli/verbs/project.ts'
import { projectionVerbs } from '#src/cli/verbs/projections/index.ts'
import { addRestore } from '#src/cli/verbs/restore.ts'
import { addServe } from '#src/cli/verbs/serve.ts'
import { addStart } from '#src/cli/verbs/start.ts'
import { addStatusVerbs } from '#src/cli/verbs/status/index.ts'
import { addTopicsDescribe, addTopicsList, addTopicsTail } from '#src/cli/verbs/topics.ts'
import { addCompilerVerbs } from '#src/cli/verbs/verification/compilers.ts'
import { addForgetChain } from '#src/cli/verbs/verification/forget-chain.ts'

const about =
  'The history of a public ledger: record files verified, published as events, kept as read models, served over REST.'

const examples = `
Examples:
  ledger-history start                                              everything in one process, on a simulated network
  ledger-history start --data data-files --source ./streams --once  import a folder of record files
  ledger-history projections status                                 how far the read models are
  ledger-history start --help                                       all settings, and more examples

Exit codes: 0 done, 1 a person is needed, 75 try again later, 78 a setting is wrong, 130 stopped by a second Ctrl-C.`

/** All verbs. `src/cli` is the only composition root: verbs and roles wire ports to adapters. */
export function createProgram(): Command {
  const program = new Command('ledger-history')
    .description(about)
    .version(codeVersion)
    // Else the program would take the `--version` of a verb for its own.
    .enablePositionalOptions()
    .showHelpAfterError('(see --help)')
    .addHelpText('after', examples)
  addStart(program)
  addServe(program)
  const importing = addGroup(
    program,
    'import',
    'From record files or blocks to the log: run, status, ready, nodes, inspect, detect-gaps, verify, republish, promote, prune',
    ['import run --source ./streams --data data-files --once', 'import status --data data-files'],
  )
  addImportRun(importing)
  addImportStatus(importing)
  addImportReady(importing)
  addImportNodes(importing)
  addImportInspect(importing)
  addImportDetectGaps(importing)
  addImportVerify(importing)
  addImportRepublish(importing)
  addImportPromote(importing)
  addImportPrune(importing)
  addProject(program)
  const projections = addGroup(
    program,
    'projections',
    'Read models: list, status, rebuild, verify, promote, rollback, prune, retire, pause, resume, parked',
    ['projections status --watch', 'projections rebuild blocks', 'projections promote blocks'],
  )
  for (const add of projectionVerbs) add(projections)
  addBackup(program)
  addRestore(program)
  const topics = addGroup(program, 'topics', 'Events on the log: list, describe, tail', [
    'topics list',
    'topics tail --follow --json',
  ])
  addTopicsList(topics)
  addTopicsDescribe(topics)
  addTopicsTail(topics)
  const status = addGroup(
    program,
    'status',
    'Write to the status page: incident, maintenance, component, page, setup, demo',
    [
      'status component create --name "REST reads" --data data-files',
      'status incident open --name "Reads are slow" --component <id>=degraded_performance',
      'status incident resolve <id>',
    ],
  )
  addStatusVerbs(status)
  const verification = addGroup(program, 'verification', 'Verification of contracts: compilers, forget-chain', [
    'verification compilers list',
    'verification compilers add 0.8.21',
    'verification forget-chain 296',
  ])
  addCompilerVerbs(verification)
  addForgetChain(verification)
  const network = addGroup(program, 'network', 'The simulated network: simulate', [
    'network simulate --out ./streams --blocks 100',
  ])
  addNetworkSimulate(network)
  const config = addGroup(program, 'config', 'Configuration: print', ['config print', 'config print --json'])
  addConfigPrint(config)
  addOutcomeOptions(program)
  return program
}

/** A noun whose verbs are added to it; the description names them, for the list of commands. */
function addGroup(program: Command, name: string, description: string, examplesOfGroup: readonly string[]): Command {
  const lines = examplesOfGroup.map((example) => `\n  ledger-history ${example}`).join('')
  return program.command(name).description(description).addHelpText('after', `\nExamples:${lines}`)
}
