import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { chosenNames } from '#src/cli/verbs/projections/chosen.ts'
import { type Deployment, knownVersions, schemaOf, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { dryRun } from '#src/cli/verbs/projections/dry-run.ts'
import { Filling } from '#src/cli/verbs/projections/fill.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type PlannedRebuild, planRebuild, type RebuildWish } from '#src/operations/decide.ts'
import type { NamedInstance, Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { dryRunSeconds } from '#src/runtime/replay/rebuild.ts'
import { formatCount } from '#src/runtime/watch/status.ts'

interface Options {
  readonly all?: boolean
  readonly version?: string
  readonly generation?: string
  readonly throttle?: string
  readonly dryRun?: boolean
  readonly events?: string
}

const examples = `  ledger-history projections rebuild blocks                    its newest version, beside the one that serves
  ledger-history projections rebuild blocks transactions       both at once
  ledger-history projections rebuild blocks --throttle 20000   at most so many events a second
  ledger-history projections rebuild blocks --dry-run          what it would cost; writes nothing`

export function addProjectionsRebuild(group: Command): void {
  const command = group.command('rebuild').argument('[names...]', 'read models')
  command.description(
    'Fill a new instance of a read model from the log, beside the one that serves; run again, it goes on',
  )
  command.option('--all', 'every read model that this code has')
  command.option('--version <n>', 'version of the shape (the newest that this code has unless given)')
  command.option('--generation <n>', 'log generation to read (the serving one unless given)')
  command.option('--throttle <events>', 'most events a second; 0 for no bound (as it was planned unless given)')
  command.option('--dry-run', 'fold the first events into a store that is thrown away, and say what a rebuild costs')
  command.option('--events <n>', `events that --dry-run folds (as many as ${dryRunSeconds} s take unless given)`)
  addDeploymentOptions(command, examples, 'projection', 'contractLogs')
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const options = command.opts<Options>()
        const isOurs = (_: Plan, name: string) => knownVersions.some((each) => each.name === name)
        const chosen = await chosenNames(deployment, names, options.all, isOurs, 'of this code was built here yet')
        const wishes = chosen.map((name) => wishOf(name, options))
        await assertGenerations(deployment, wishes)
        await assertLogs(deployment, wishes)
        if (options.dryRun === true) await dryRun(deployment, wishes, wholeNumber(options.events, '--events'))
        else await rebuild(deployment, wishes)
      }),
    ),
  )
}

function wishOf(name: string, { version, generation, throttle }: Options): RebuildWish {
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
async function rebuild(deployment: Deployment, wishes: readonly RebuildWish[]): Promise<void> {
  const { terminal, signal } = deployment.verb
  const planned = await planAll(deployment, wishes)
  for (const { instance, resumed } of planned) {
    terminal.print(
      `${resumed ? 'Going on with' : 'Building'} ${labelOf(instance)} from log generation ${instance.generation}`,
    )
  }
  const filling = new Filling(deployment)
  const failed = new AbortController()
  const ended = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  const fill = async ({ instance }: PlannedRebuild): Promise<boolean> => {
    try {
      return await filling.fill(instance, stop)
    } catch (error) {
      failed.abort()
      throw error
    }
  }
  const filled = planned.map(fill)
  const presence = filling.announce(ended.signal)
  const outcomes = await Promise.allSettled(filled)
  ended.abort()
  await presence.ended
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  if (outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value)) {
    const { generation } = await readPlan(deployment.control)
    deployment.verb.outcome['instances'] = planned.map(({ instance: { name, id } }) => ({ name, id }))
    terminal.print(`next: ${deployment.next(promotionOf(wishes, generation))}`)
    return
  }
  const again = deployment.next(rebuildOf(wishes))
  throw new LedgerError('interrupted', `Stopped before the end of the log; to go on, run "${again}"`)
}

/** Another log generation is promoted as a whole. */
function promotionOf(wishes: readonly RebuildWish[], serving: number): string {
  const [{ generation = serving } = {}] = wishes
  if (generation !== serving) return `import promote ${generation}`
  return `projections promote ${wishes.map(({ name }) => name).join(' ')}`
}

function rebuildOf(wishes: readonly RebuildWish[]): string {
  const [{ version, generation } = {}] = wishes
  const flags = [
    ...(version === undefined ? [] : [` --version ${version}`]),
    ...(generation === undefined ? [] : [` --generation ${generation}`]),
  ]
  return `projections rebuild ${wishes.map(({ name }) => name).join(' ')}${flags.join('')}`
}

async function planAll(deployment: Deployment, wishes: readonly RebuildWish[]): Promise<PlannedRebuild[]> {
  const { control } = deployment
  const at = new Date().toISOString()
  const decide = (plan: Plan): { plan: Plan; planned: PlannedRebuild[] } => {
    const planned: PlannedRebuild[] = []
    for (const wish of wishes) planned.push(planRebuild(planned.at(-1)?.plan ?? plan, knownVersions, wish, at))
    return { plan: planned.at(-1)?.plan ?? plan, planned }
  }
  for (const { instance, resumed } of decide(await readPlan(control)).planned)
    if (!resumed) await assertNoRows(deployment, instance)
  let planned: PlannedRebuild[] = []
  await changePlan(control, (plan) => {
    const decided = decide(plan)
    planned = decided.planned
    return decided.plan
  })
  return planned
}

/** A plan that was restored from an older copy gives a number out again: rows of another log might be taken for its own. */
async function assertNoRows({ store }: Deployment, { name, id, ...instance }: NamedInstance): Promise<void> {
  const reader = await store.openReader(schemaOf(name, instance))
  try {
    if ((await reader.checkpoint()) === undefined) return
    throw new LedgerError(
      'operation_refused',
      `There are rows of ${name} v${id} already, which the plan does not know; it may be older than they are. Remove them with "ledger-history projections prune ${name} --version ${id}" first`,
      { name, id },
    )
  } finally {
    await reader.close()
  }
}

/** A log that is lost, or whose end is damaged, is refused before a build is planned that nobody could fill. */
async function assertLogs({ control, log }: Deployment, wishes: readonly RebuildWish[]): Promise<void> {
  const { generation: serving } = await readPlan(control)
  for (const { generation = serving } of wishes) await (await log(generation)).head()
}

async function assertGenerations({ control }: Deployment, wishes: readonly RebuildWish[]): Promise<void> {
  const { generation: serving, generations } = await readPlan(control)
  for (const { generation } of wishes) assertGeneration(generation, serving, Object.keys(generations))
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
