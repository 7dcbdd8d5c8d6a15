import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, knownVersions, schemaOf, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { labelsOf, usersOf } from '#src/cli/verbs/projections/processes.ts'
import { waitFor } from '#src/cli/verbs/projections/waiting.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { forget, prunable } from '#src/operations/decide.ts'
import { type InstancePlan, instanceId, type Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { PresenceWatch, type PresentProcess } from '#src/operations/presence.ts'

interface Options {
  readonly version?: string
  readonly wait: string
  readonly dryRun?: boolean
}

type Doomed = Pick<InstancePlan, 'version' | 'build'> & { readonly name: string; readonly id: string }

const examples = `  ledger-history projections prune blocks                every instance that neither serves nor is being built
  ledger-history projections prune blocks --version 1    only this one, also where it is not built yet
  ledger-history projections prune blocks --dry-run`

export function addProjectionsPrune(group: Command): void {
  const command = group.command('prune').argument('<names...>', 'read models')
  command.description('Remove instances of read models that do not serve, once no process reads or runs them')
  command.option('--version <id>', 'only this instance, such as 1, or 2.3 for the third build of version 2')
  command.option('--wait <seconds>', 'how long running processes may take to let go', '30')
  command.option('--dry-run', 'say what would be removed')
  addDeploymentOptions(command, examples)
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, wait, dryRun = false } = command.opts<Options>()
        const plan = await readPlan(deployment.control)
        const id = instanceIdOf(version)
        const doomed: Doomed[] = []
        for (const name of new Set(names))
          doomed.push(...doomedOf(plan, name, id), ...(id === undefined ? await leftOf(deployment, plan, name) : []))
        // Before anything is changed: rows can only be removed by code that knows where they are.
        for (const each of doomed) schemaOf(each.name, each)
        const timeoutMs = wholeNumber(wait, '--wait', 0)! * 1_000
        if (doomed.length === 0)
          verb.terminal.print('Nothing to prune: there are only serving instances, or unfinished ones')
        for (const each of doomed) {
          if (dryRun) verb.terminal.print(`Would remove ${each.name} v${each.id}`)
          else await prune(deployment, each, timeoutMs)
        }
      }),
    ),
  )
}

/** What to remove. An instance that is named but forgotten may have rows that an interrupted prune left behind. */
function doomedOf(plan: Plan, name: string, id: string | undefined): readonly Doomed[] {
  if (id === undefined || plan.readModels[name] === undefined || plan.readModels[name].instances[id] !== undefined)
    return prunable(plan, name, id)
  const [version = 0, build = 1] = id.split('.').map(Number)
  const isKnown = knownVersions.some((each) => each.name === name && each.version === version)
  return isKnown ? [{ name, version, build, id: instanceId({ version, build }) }] : prunable(plan, name, id)
}

/** Builds that were forgotten, but whose rows are still there since the prune that forgot them was killed. */
async function leftOf({ store }: Deployment, plan: Plan, name: string): Promise<readonly Doomed[]> {
  const { builds = {}, instances = {} } = plan.readModels[name] ?? {}
  const left: Doomed[] = []
  for (const [version, last] of Object.entries(builds).map(([text, number]) => [Number(text), number] as const)) {
    if (!knownVersions.some((each) => each.name === name && each.version === version)) continue
    for (let build = 1; build <= last; build++) {
      const id = instanceId({ version, build })
      if (instances[id] !== undefined) continue
      const reader = await store.openReader(schemaOf(name, { version, build }))
      if ((await reader.checkpoint()) !== undefined) left.push({ name, version, build, id })
      await reader.close()
    }
  }
  return left
}

async function prune(deployment: Deployment, doomed: Doomed, timeoutMs: number): Promise<void> {
  const { control, store, verb } = deployment
  const { name, id } = doomed
  await changePlan(control, (plan) =>
    plan.readModels[name]?.instances[id] === undefined ? plan : forget(plan, name, id),
  )
  const watch = new PresenceWatch({ control, now: () => performance.now() })
  let users: PresentProcess[] = []
  const isFree = await waitFor(
    async () => {
      users = usersOf(await watch.read(), name, id)
      return users.length === 0 ? true : undefined
    },
    { signal: verb.signal, timeoutMs },
  )
  if (!isFree) {
    throw new LedgerError(
      'not_followed',
      `${name} v${id} is out of the plan, but ${labelsOf(users)} still uses it; its rows stay until "ledger-history projections prune ${name} --version ${id}" is run again`,
      { name, id, users: users.map((process) => process.id) },
    )
  }
  await store.remove(schemaOf(name, doomed))
  verb.terminal.print(`Removed ${name} v${id}; next: ${deployment.next('projections status')}`)
}
