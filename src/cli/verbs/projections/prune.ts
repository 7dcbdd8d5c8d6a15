import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { chosenNames } from '#src/cli/verbs/projections/chosen.ts'
import { type Deployment, isKnown, schemaOf, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { forget, prunable } from '#src/operations/decide.ts'
import { type InstancePlan, instanceId, type Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { PresenceWatch, type PresentProcess } from '#src/operations/presence.ts'
import { labelsOf, usersOf } from '#src/operations/processes.ts'
import { waitFor } from '#src/operations/wait-for.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'

interface Options {
  readonly all?: boolean
  readonly version?: string
  readonly wait: string
  readonly dryRun?: boolean
}

type Doomed = Pick<InstancePlan, 'version' | 'build'> & { readonly name: string; readonly id: string }

const examples = `  ledger-history projections prune blocks                every instance that neither serves nor is being built
  ledger-history projections prune blocks --version 1    only this one, also where it is not built yet
  ledger-history projections prune --all --dry-run       of every read model`

export function addProjectionsPrune(group: Command): void {
  const command = group.command('prune').argument('[names...]', 'read models')
  command.description('Remove instances of read models that do not serve, once no process reads or runs them')
  command.option('--all', 'of every read model that has such instances')
  command.option('--version <id>', 'only this instance, such as 1, or 2.3 for the third build of version 2')
  command.option('--wait <seconds>', 'how long running processes may take to let go', '30')
  command.option('--dry-run', 'say what would be removed')
  addDeploymentOptions(command, examples)
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, wait, dryRun = false, all } = command.opts<Options>()
        const plan = await readPlan(deployment.control)
        const id = instanceIdOf(version)
        const doomed: Doomed[] = []
        const chosen = await chosenNames(deployment, names, all, () => true, 'was built here yet')
        for (const name of chosen) doomed.push(...(await doomedOf(deployment, plan, name, id)))
        const timeoutMs = wholeNumber(wait, '--wait', 0)! * 1_000
        if (doomed.length === 0) verb.terminal.print(`Nothing to prune: ${foundText(plan, chosen)}`)
        Object.assign(verb.outcome, { instances: doomed.map(({ name, id }) => ({ name, id })), removed: !dryRun })
        if (!dryRun) await prune(deployment, doomed, timeoutMs)
        else
          for (const each of doomed) {
            if (isPlanned(plan, each) || (await rowsLeft(deployment, each.name, each)).length > 0)
              verb.terminal.print(`Would remove ${each.name} v${each.id}`)
            else throw nothingLeft(each)
          }
      }),
    ),
  )
}

/** Of each read model what there is, and why it stays. */
function foundText({ readModels }: Plan, names: readonly string[]): string {
  const all = names.flatMap((name) => {
    const { serving, instances = {} } = readModels[name] ?? {}
    return Object.keys(instances).map((id) => `${name} v${id} ${id === serving ? 'serves' : 'is being built'}`)
  })
  return new Intl.ListFormat('en').format(all)
}

/**
 * What to remove: instances of the plan, and builds that it does not know but that have rows, which a prune left behind that
 * was killed, or a plan that was restored from an older copy has forgotten.
 */
async function doomedOf(
  deployment: Deployment,
  plan: Plan,
  name: string,
  id: string | undefined,
): Promise<readonly Doomed[]> {
  const { builds = {}, instances } = plan.readModels[name] ?? {}
  if (instances === undefined) return prunable(plan, name, id)
  if (id === undefined) {
    const given = Object.entries(builds).flatMap(([version, last]) =>
      Array.from({ length: last }, (_, index) => ({ version: Number(version), build: index + 1 })),
    )
    const forgotten = given.filter((each) => instances[instanceId(each)] === undefined)
    const left = await Promise.all(forgotten.map((each) => rowsLeft(deployment, name, each)))
    return [...prunable(plan, name), ...left.flat()]
  }
  if (instances[id] !== undefined) return prunable(plan, name, id)
  const [version = 0, build = 1] = id.split('.').map(Number)
  const left = await rowsLeft(deployment, name, { version, build })
  if (left.length > 0) return left
  const wasThere = build <= (builds[version] ?? 0)
  return wasThere ? [{ name, version, build, id }] : prunable(plan, name, id)
}

/** A build that the plan does not know, if there are rows of it. */
async function rowsLeft(
  { store }: Deployment,
  name: string,
  instance: Pick<InstancePlan, 'version' | 'build'>,
): Promise<readonly Doomed[]> {
  if (!isKnown({ name, version: instance.version })) return []
  const reader = await store.openReader(schemaOf(name, instance))
  try {
    if ((await reader.checkpoint()) === undefined) return []
    return [{ name, ...instance, id: instanceId(instance) }]
  } finally {
    await reader.close()
  }
}

/** All leave the plan in one step, so that running processes let go of all of them while the first are removed. */
async function prune(deployment: Deployment, doomed: readonly Doomed[], timeoutMs: number): Promise<void> {
  const planned = new Set<Doomed>()
  await changePlan(deployment.control, (plan) => {
    planned.clear()
    for (const each of doomed) if (isPlanned(plan, each)) planned.add(each)
    return [...planned].reduce((left, { name, id }) => forget(left, name, id), plan)
  })
  // One for all: whoever was killed is found out once.
  const watch = new PresenceWatch({ control: deployment.control, now: () => performance.now() })
  for (const each of doomed) {
    await awaitUnused(deployment, watch, each, timeoutMs)
    const wasThere = await removeRows(deployment, each, timeoutMs)
    if (!planned.has(each) && !wasThere) throw nothingLeft(each)
    deployment.verb.terminal.print(`Removed ${each.name} v${each.id}; next: ${deployment.next('projections status')}`)
  }
}

async function awaitUnused(
  { verb }: Deployment,
  watch: PresenceWatch,
  { name, id }: Doomed,
  timeoutMs: number,
): Promise<void> {
  let users: PresentProcess[] = []
  const isFree = await waitFor(
    async () => {
      users = usersOf(await watch.read(), name, id)
      return users.length === 0 ? true : undefined
    },
    { signal: verb.signal, timeoutMs },
  )
  if (isFree) return
  throw new LedgerError(
    'not_followed',
    `${name} v${id} is out of the plan, but ${labelsOf(users)} still uses it; its rows stay until "ledger-history projections prune ${name} --version ${id}" is run again`,
    { name, id, users: users.map((process) => process.id) },
  )
}

/** A process that has only just begun with it does not say so yet, and lets go as soon as it has read the plan. */
async function removeRows({ store, verb }: Deployment, doomed: Doomed, timeoutMs: number): Promise<boolean> {
  let busy: unknown
  const removed = await waitFor(
    async () => {
      try {
        return { wasThere: await store.remove(removable(doomed)) }
      } catch (error) {
        if (!isLedgerError(error, 'owner_busy')) throw error
        busy = error
        return undefined
      }
    },
    { signal: verb.signal, timeoutMs },
  )
  if (removed === undefined) throw busy
  return removed.wasThere
}

/** Also of a version that this code does not know any more: all that lies under its name goes. */
function removable({ name, version, build }: Doomed): ProjectionSchema {
  return isKnown({ name, version }) ? schemaOf(name, { version, build }) : { name, version, build, collections: {} }
}

function isPlanned({ readModels }: Plan, { name, id }: Doomed): boolean {
  return readModels[name]?.instances[id] !== undefined
}

function nothingLeft({ name, id }: Doomed): LedgerError {
  return new LedgerError(
    'operation_refused',
    `${name} v${id} was pruned before, and nothing is left of it; "ledger-history projections status" lists what there is`,
    { name, id },
  )
}
