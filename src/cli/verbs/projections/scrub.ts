import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, schemaOf, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { findInstance } from '#src/cli/verbs/projections/instance.ts'
import { addDeploymentOptions, instanceIdOf } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { recordScrub } from '#src/operations/scrubs.ts'
import { type ScrubResult, scrubRecord, scrubRows } from '#src/runtime/replay/scrub.ts'
import { formatCount } from '#src/runtime/watch/status.ts'

interface Options {
  readonly version?: string
  readonly json?: boolean
}

const examples = `  ledger-history projections scrub blocks
  ledger-history projections scrub blocks --version 2    before it is promoted
  ledger-history projections scrub blocks --json | jq .rows`

export function addProjectionsScrub(group: Command): void {
  const command = group.command('scrub').argument('<name>', 'read model')
  command.description('Read every row and index of a read model and look whether all are as they were written')
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the serving one unless given)')
  command.option('--json', 'print JSON')
  addDeploymentOptions(command, examples, 'projection')
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, json = false } = command.opts<Options>()
        const { damage, ...figures } = await scrub(deployment, name, instanceIdOf(version))
        const { instance, rows, position } = figures
        if (json) verb.terminal.print(JSON.stringify({ ...figures, whole: damage === undefined }))
        else if (damage === undefined)
          verb.terminal.print(
            `Read ${counted(rows, 'row')} of ${instance} at ${formatCount(position)}: all as they were written`,
          )
        if (damage !== undefined) throw damage
      }),
    ),
  )
}

async function scrub(deployment: Deployment, name: string, id: string | undefined): Promise<ScrubResult> {
  const { instance } = await findInstance(deployment, name, id)
  const { signal } = deployment.verb
  const beganAtMs = Date.now()
  const result = await scrubRows({ store: deployment.store, schema: schemaOf(name, instance), signal })
  if (result !== undefined) {
    await recordScrub(deployment.control, result.instance, scrubRecord(result, beganAtMs, Date.now()))
    return result
  }
  const label = `${instance.name} v${instance.id}`
  if (signal.aborted) throw new LedgerError('interrupted', `The scrub of ${label} was interrupted; run it again`)
  throw new LedgerError('operation_refused', `${label} has no rows yet; run "ledger-history project" first`)
}
