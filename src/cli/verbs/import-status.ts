import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { folderOf } from '#src/cli/data-folder.ts'
import { exactJson } from '#src/cli/exact-json.ts'
import { withImportDeployment } from '#src/cli/importing/import-deployment.ts'
import { type ImporterReport, type ImportStatusReport, readImportStatus } from '#src/cli/importing/import-status.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { streamTexts } from '#src/cli/importing/stream-presence.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import type { BlockNodePresence, StreamPresence } from '#src/operations/import-presence.ts'
import { formatLag } from '#src/runtime/watch/status.ts'

const examples = `
Examples:
  ledger-history import status
  ledger-history import status --json | jq .latestBlock`

export function addImportStatus(group: Command): void {
  const command = group
    .command('status')
    .description('Say how far the log reaches, what it lacks, who imports, and what from')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.option('--json', 'print JSON').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const folder = folderOf(verb.config, undefined, 'existing')
      const report = await withImportDeployment(verb, folder, readImportStatus)
      const json = command.opts<{ json?: boolean }>().json === true
      verb.terminal.tell(json ? exactJson(report) : formatReport(report))
      if (report.problem !== null) process.exitCode = 1
    }),
  )
}

function formatReport({ generations, processes, ...figures }: ImportStatusReport): string {
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  const { lagSeconds } = figures
  // A number that large says nothing to a person.
  const days =
    lagSeconds !== null && lagSeconds >= 86_400 ? { lagSeconds: `${lagSeconds} (${formatLag(lagSeconds)})` } : {}
  const shown = Object.entries({ ...figures, ...days })
  const lines = shown.map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
  for (const { generation, state, log, latestBlock, reason } of generations) {
    const note = reason === null ? '' : `  (${reason})`
    lines.push(`generation ${generation}  ${state}  ${log}  latest block ${latestBlock ?? '-'}${note}`)
  }
  for (const process of processes) lines.push(...importerLines(process))
  if (processes.length === 0) lines.push('no process imports')
  return lines.join('\n')
}

function importerLines(importer: ImporterReport): string[] {
  const { host, pid, codeVersion, state, generation, problem, stream, blockNodes } = importer
  const lines = [`process ${pid} on ${host}  version ${codeVersion}  ${state} in generation ${generation}`]
  if (stream !== null) lines.push(...streamLines(stream).map((line) => `  ${line}`))
  if (blockNodes.length > 0) lines.push(`  ${nodesLine(blockNodes)}`)
  if (problem !== null) lines.push(`  problem: ${problem}`)
  return lines
}

function streamLines({ setting, stream, from, since, why, waitsFor, quietSince }: StreamPresence): string[] {
  const lines = [`reads ${streamTexts[stream]} from ${from} since ${since}: ${why} (--stream ${setting})`]
  if (waitsFor !== undefined) lines.push(`waits for ${waitsFor}`)
  if (quietSince !== undefined) lines.push(`nothing new since ${quietSince}`)
  return lines
}

function nodesLine(nodes: readonly BlockNodePresence[]): string {
  const aside = nodes.filter(({ setAsideUntil }) => setAsideUntil !== undefined).length
  const discovered = nodes.filter(({ origin }) => origin === 'discovered').length
  const notes = [`${nodes.length - discovered} configured`, `${discovered} discovered`, `${aside} set aside`]
  return `knows ${counted(nodes.length, 'block node')}: ${notes.join(', ')}; "ledger-history import nodes" shows them`
}
