import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, isKnown, schemaOf, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { formatStatus } from '#src/cli/verbs/projections/format.ts'
import { addDeploymentOptions } from '#src/cli/verbs/projections/options.ts'
import type { NamedInstance } from '#src/operations/plan.ts'
import { rest } from '#src/ports/clock.ts'
import { StatusMeter } from '#src/runtime/watch/deployment-status.ts'

const watchIntervalMs = 1_000
const clearScreen = '\x1b[H\x1b[2J'

const examples = `  ledger-history projections status
  ledger-history projections status --watch
  ledger-history projections status --json --data /var/ledger | jq '.instances[] | {name, id, lagEvents}'`

export function addProjectionsStatus(group: Command): void {
  const command = group.command('status')
  command.description(
    'Say how far each instance of each read model is, who keeps it up to date, and who answers from it',
  )
  command.option('--json', 'print JSON').option('--watch', 'look again every second until Ctrl-C')
  addDeploymentOptions(command, examples)
  command.action(() =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { json = false, watch = false } = command.opts<{ json?: boolean; watch?: boolean }>()
        await showStatus(deployment, json, watch)
      }),
    ),
  )
}

async function showStatus(deployment: Deployment, json: boolean, watch: boolean): Promise<void> {
  const { terminal, signal } = deployment.verb
  const { control, store, log } = deployment
  const known = (instance: NamedInstance) => (isKnown(instance) ? schemaOf(instance.name, instance) : undefined)
  const meter = new StatusMeter({ control, store, log, schemaOf: known })
  try {
    do {
      const status = await meter.measure()
      process.exitCode = status.brokenLogs.length > 0 ? 1 : 0
      const text = json ? JSON.stringify(status) : formatStatus(status, deployment.next)
      terminal.print(watch && !json && terminal.isLive ? clearScreen + text : text)
      if (watch) await rest(watchIntervalMs, signal)
    } while (watch && !signal.aborted)
  } finally {
    await meter.close()
  }
}
