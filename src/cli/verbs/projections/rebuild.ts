import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, knownVersions, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { dryRun } from '#src/cli/verbs/projections/dry-run.ts'
import { fillInstance } from '#src/cli/verbs/projections/fill.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type PlannedRebuild, planRebuild } from '#src/operations/decide.ts'
import type { NamedInstance } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { formatCount } from '#src/runtime/status.ts'

interface Options {
  readonly version?: string
  readonly generation?: string
  readonly throttle?: string
  readonly dryRun?: boolean
  readonly events: string
}

const examples = `  ledger-history projections rebuild blocks                    its newest version, beside the one that serves
  ledger-history projections rebuild blocks transactions       both at once
  ledger-history projections rebuild blocks --throttle 20000   at most so many events a second
  ledger-history projections rebuild blocks --dry-run --events 100000   what it would cost; writes nothing`

export function addProjectionsRebuild(group: Command): void {
  const command = group.command('rebuild').argument('<names...>', 'read models')
  command.description(
    'Fill a new instance of a read model from the log, beside the one that serves; run again, it goes on',
  )
  command.option('--version <n>', 'version of the shape (the newest that this code has unless given)')
  command.option('--generation <n>', 'log generation to read (the serving one unless given)')
  command.option('--throttle <events>', 'most events a second; 0 for no bound (as it was planned unless given)')
  command.option('--dry-run', 'fold the first events into a store that is thrown away, and say what a rebuild costs')
  command.option('--events <n>', 'events that --dry-run folds', '100000')
  addDeploymentOptions(command, examples, 'projection')
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const options = command.opts<Options>()
        const wishes = [...new Set(names)].map((name) => wishOf(name, options))
        if (options.dryRun === true) await dryRun(deployment, wishes, wholeNumber(options.events, '--events')!)
        else await rebuild(deployment, wishes)
      }),
    ),
  )
}

export interface RebuildOrder {
  readonly name: string
  readonly version?: number
  readonly generation?: number
  readonly eventsPerSecondMax?: number
}

function wishOf(name: string, { version, generation, throttle }: Options): RebuildOrder {
  const number = wholeNumber(instanceIdOf(version), '--version')
  const of = wholeNumber(generation, '--generation')
  const eventsPerSecondMax = wholeNumber(throttle, '--throttle', 0)
  return {
    name,
    ...(number === undefined ? {} : { version: number }),
    ...(of === undefined ? {} : { generation: of }),
    ...(eventsPerSecondMax === undefined ? {} : { eventsPerSecondMax }),
  }
}

/** Plans all of them in the one step, then fills them side by side. The first that fails stops the others. */
async function rebuild(deployment: Deployment, orders: readonly RebuildOrder[]): Promise<void> {
  const { terminal, signal } = deployment.verb
  const planned = await planAll(deployment, orders)
  for (const { instance, resumed } of planned) {
    terminal.print(
      `${resumed ? 'Going on with' : 'Building'} ${labelOf(instance)} from log generation ${instance.generation}`,
    )
  }
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  const fill = async ({ instance }: PlannedRebuild): Promise<boolean> => {
    try {
      return await fillInstance(deployment, instance, stop)
    } catch (error) {
      failed.abort()
      throw error
    }
  }
  const outcomes = await Promise.allSettled(planned.map(fill))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  const names = orders.map(({ name }) => name).join(' ')
  if (outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value)) {
    terminal.print(`next: ${deployment.next(`projections promote ${names}`)}`)
  } else {
    terminal.print(`Stopped before the end of the log; next: ${deployment.next(`projections rebuild ${names}`)}`)
  }
}

async function planAll({ control }: Deployment, orders: readonly RebuildOrder[]): Promise<PlannedRebuild[]> {
  let planned: PlannedRebuild[] = []
  const at = new Date().toISOString()
  const before = await readPlan(control)
  for (const { generation } of orders) assertGeneration(generation, before.generation, Object.keys(before.generations))
  await changePlan(control, (plan) => {
    planned = []
    return orders.reduce((next, order) => {
      const one = planRebuild(next, knownVersions, order, at)
      planned.push(one)
      return one.plan
    }, plan)
  })
  return planned
}

/** A generation that nobody writes would be an empty log. */
function assertGeneration(wanted: number | undefined, serving: number, others: readonly string[]): void {
  const known = new Set([1, serving, ...others.map(Number)])
  if (wanted === undefined || known.has(wanted)) return
  throw new LedgerError('operation_refused', `There is no log generation ${wanted}; there are ${[...known].join(', ')}`)
}

function labelOf({ name, id, eventsPerSecondMax }: NamedInstance): string {
  const throttle = eventsPerSecondMax === null ? '' : `, at most ${formatCount(eventsPerSecondMax)} events/s,`
  return `${name} v${id}${throttle}`
}
