import type { Command } from 'commander'
import { exactJson } from '#src/cli/exact-json.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import type { Check } from '#src/cli/importing/ready/check.ts'
import { checkReadiness, readyContext } from '#src/cli/importing/ready/ready.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'

const examples = `
Tries everything that the move from record files to block streams needs, with the settings and the log of this deployment, or for
a public network by its name alone: lists and reads the buckets (the reader pays for a few requests), asks block nodes, proves a
block, looks at limits and the clock. Nothing is changed, and it may run beside an importer. Each source has a minute at most.
Exit code 0 only when all hold.

Examples:
  ledger-history import ready --network testnet --source-s3-access-key <key> --source-s3-secret-key <secret>
  ledger-history import ready --network mainnet --source-s3-endpoint https://storage.googleapis.com --source-s3-billing-project <project>
  ledger-history import ready --data data --block-nodes node.example:40840 --json`

export function addImportReady(group: Command): void {
  const command = group.command('ready').description('Try everything that the move to block streams needs')
  addConfigOptions(command, [...deploymentGroups, 'source', 'blocks', 'cutover', 'import', 'log'])
  command.option('--json', 'print JSON').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const { terminal } = verb
      const json = command.opts<{ json?: boolean }>().json === true
      const context = await readyContext(verb)
      const checks: Check[] = []
      for await (const check of checkReadiness(context)) {
        checks.push(check)
        if (!json && !verb.signal.aborted) terminal.tell(formatCheck(check))
      }
      if (verb.signal.aborted) process.exitCode = 75
      if (verb.signal.aborted) return
      const isReady = checks.every(({ status }) => status === 'ok')
      terminal.print(json ? exactJson({ network: context.network, ready: isReady, checks }) : verdict(checks))
      if (!isReady) process.exitCode = 1
    }),
  )
}

const statusWidth = 'unknown'.length

function formatCheck({ name, status, value, step }: Check): string {
  const line = `${status.padEnd(statusWidth)}  ${name}: ${value}`
  return step === null ? line : `${line}\n${' '.repeat(statusWidth)}  next: ${step}`
}

function verdict(checks: readonly Check[]): string {
  const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length
  const [bad, open] = [count('fails'), count('unknown')]
  if (bad + open === 0) return 'Ready: all of it holds'
  return `Not ready: ${bad} of ${checks.length} do not hold, ${open} cannot be told now`
}
