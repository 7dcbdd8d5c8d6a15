import type { Command } from 'commander'
import { exactJson } from '#src/cli/exact-json.ts'
import { askNodes, nodesToAsk, seenBy } from '#src/cli/importing/asked-nodes.ts'
import { findLogFacts } from '#src/cli/importing/log-facts.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { formatNode, type NodeReport, nodeToJson } from '#src/cli/importing/node-texts.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { blockNodesToldMax } from '#src/operations/import-presence.ts'

const examples = `
Asks each block node what it has: those that are configured, and those that the ledger has registered, as of the end of the log.
An importer that runs says how they do for it. Nothing is changed; where nothing was imported yet, the configured ones are shown.

Examples:
  ledger-history import nodes
  ledger-history import nodes --block-nodes node.example:40840,grpcs://other.example:443?priority=1
  ledger-history import nodes --json | jq '.nodes[] | select(.error != null)'`

const none =
  'No block node is configured, and the ledger has registered none so far; name one with --block-nodes <host:port>'

export function addImportNodes(group: Command): void {
  const command = group
    .command('nodes')
    .description('Show the block nodes: where each comes from, what it has, how it does')
  addConfigOptions(command, [...deploymentGroups, 'blocks', 'log'])
  command.option('--json', 'print JSON').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const { config, signal, terminal } = verb
      const facts = await findLogFacts(verb)
      const nodes = nodesToAsk({ config, facts })
      const answers = await askNodes(nodes.slice(0, blockNodesToldMax), { config, facts, signal })
      const reports = answers.map((answer) => ({ answer, seen: seenBy(answer, facts) }))
      const known = { known: nodes.length, importers: facts?.importers.length ?? 0 }
      const json = command.opts<{ json?: boolean }>().json === true
      terminal.tell(json ? exactJson({ ...known, nodes: reports.map(nodeToJson) }) : formatReports(reports, known))
    }),
  )
}

function formatReports(
  reports: readonly NodeReport[],
  { known, importers }: { known: number; importers: number },
): string {
  if (reports.length === 0) return none
  const more = known > reports.length ? [`${known - reports.length} more are known, and not asked here`] : []
  const importing = importers === 0 ? ['no process imports'] : []
  return [...reports.map(formatNode), ...more, ...importing].join('\n')
}
