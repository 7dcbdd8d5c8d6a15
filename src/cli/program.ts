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

type AddVerb = (program: Command) => void

const verbs: readonly AddVerb[] = [
  addStart,
  addServe,
  group({
    name: 'import',
    description:
      'From record files or blocks to the log: run, status, ready, nodes, inspect, detect-gaps, verify, republish, promote, prune',
    examples: ['import run --source ./streams --data data-files --once', 'import status --data data-files'],
    verbs: [
      addImportRun,
      addImportStatus,
      addImportReady,
      addImportNodes,
      addImportInspect,
      addImportDetectGaps,
      addImportVerify,
      addImportRepublish,
      addImportPromote,
      addImportPrune,
    ],
  }),
  addProject,
  group({
    name: 'projections',
    description: 'Read models: list, status, rebuild, verify, promote, rollback, prune, retire, pause, resume, parked',
    examples: ['projections status --watch', 'projections rebuild blocks', 'projections promote blocks'],
    verbs: projectionVerbs,
  }),
  addBackup,
  addRestore,
  group({
    name: 'topics',
    description: 'Events on the log: list, describe, tail',
    examples: ['topics list', 'topics tail --follow --json'],
    verbs: [addTopicsList, addTopicsDescribe, addTopicsTail],
  }),
  group({
    name: 'status',
    description: 'Write to the status page: incident, maintenance, component, page, setup, demo',
    examples: [
      'status component create --name "REST reads" --data data-files',
      'status incident open --name "Reads are slow" --component <id>=degraded_performance',
      'status incident resolve <id>',
    ],
    verbs: [addStatusVerbs],
  }),
  group({
    name: 'verification',
    description: 'Verification of contracts: compilers, forget-chain',
    examples: ['verification compilers list', 'verification compilers add 0.8.21', 'verification forget-chain 296'],
    verbs: [addCompilerVerbs, addForgetChain],
  }),
  group({
    name: 'network',
    description: 'The simulated network: simulate',
    examples: ['network simulate --out ./streams --blocks 100'],
    verbs: [addNetworkSimulate],
  }),
  group({
    name: 'config',
    description: 'Configuration: print',
    examples: ['config print', 'config print --json'],
    verbs: [addConfigPrint],
  }),
]

interface Group {
  readonly name: string
  /** Names the verbs, for the list of commands. */
  readonly description: string
  readonly examples: readonly string[]
  readonly verbs: readonly AddVerb[]
}

/** A noun with its verbs. */
function group({ name, description, examples: ofGroup, verbs: ofNoun }: Group): AddVerb {
  const lines = ofGroup.map((example) => `\n  ledger-history ${example}`).join('')
  return (program) => {
    const noun = program.command(name).description(description).addHelpText('after', `\nExamples:${lines}`)
    for (const add of ofNoun) add(noun)
  }
}

/** All verbs. `src/cli` is the only composition root: verbs and roles wire ports to adapters. */
export function createProgram(): Command {
  const program = new Command('ledger-history')
    .description(about)
    .version(codeVersion)
    // Else the program would take the `--version` of a verb for its own.
    .enablePositionalOptions()
    .showHelpAfterError('(see --help)')
    .addHelpText('after', examples)
  for (const add of verbs) add(program)
  addOutcomeOptions(program)
  return program
}
