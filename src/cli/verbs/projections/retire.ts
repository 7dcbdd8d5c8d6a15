import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, knownVersions, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { topicNames } from '#src/events/event-types.ts'
import { buildsOf, retire } from '#src/operations/decide.ts'
import { instanceId } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { PresenceWatch, type PresentProcess } from '#src/operations/presence.ts'
import { labelsOf } from '#src/operations/processes.ts'
import { waitFor } from '#src/operations/wait-for.ts'

interface Options {
  readonly wait: string
  readonly dryRun?: boolean
  readonly output?: readonly string[]
}

const examples = `  ledger-history projections retire old-balances --dry-run
  ledger-history projections retire old-balances                      its rows, its place in the plan, its consumer groups
  ledger-history projections retire old-logs --output old-logs        and the topic that it published, with its subject`

export function addProjectionsRetire(group: Command): void {
  const command = group.command('retire').argument('<name>', 'read model that the code no longer has')
  command.description('Remove a read model that no release in use keeps any more, with all that there is of it')
  command.option('--output <names...>', 'also remove these topics that it published, and their subjects')
  command.option('--wait <seconds>', 'how long running processes of an older release may take to end', '30')
  command.option('--dry-run', 'say what would be removed')
  addDeploymentOptions(command, examples)
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { wait, dryRun = false, output = [] } = command.opts<Options>()
        assertGone(name, output)
        await retireFrom(deployment, { name, output, dryRun, waitMs: wholeNumber(wait, '--wait', 0)! * 1_000 })
      }),
    ),
  )
}

/** A projector of this release would plan it anew, and fill what was removed. */
function assertGone(name: string, output: readonly string[]): void {
  const versions = knownVersions.filter((each) => each.name === name).map(({ version }) => `v${version}`)
  if (versions.length > 0) {
    throw new LedgerError(
      'operation_refused',
      `This code still has ${name} ${versions.join(', ')}, and would build it again; take it out of projections/ and deploy that first, or remove single instances with "ledger-history projections prune ${name}"`,
      { name },
    )
  }
  const kept = output.find((each) => (topicNames as readonly string[]).includes(each))
  if (kept !== undefined)
    throw new LedgerError('operation_refused', `This code still publishes ${kept}, so its topic stays`, { topic: kept })
}

interface Retirement {
  readonly name: string
  readonly output: readonly string[]
  readonly dryRun: boolean
  readonly waitMs: number
}

/** First nobody uses it, then the plan forgets it, then its remains go; interrupted, the same command finishes. */
async function retireFrom(deployment: Deployment, { name, output, dryRun, waitMs }: Retirement): Promise<void> {
  const { control, store, verb, next } = deployment
  const { config, terminal, logger, outcome } = verb
  const plan = await readPlan(control)
  const builds = buildsOf(plan, name)
  const generations = [...new Set([1, plan.generation, ...Object.keys(plan.generations).map(Number)])]
  const engines = enginesOf(config, folderOf(config, undefined, 'existing'), logger)
  const remains = engines.remainsOf({
    groups: builds.map((each) => `${name}@${instanceId(each)}`),
    output,
    generations,
  })
  const labels = builds.map((each) => `${name} v${instanceId(each)}`)
  const names = remains.map(({ label }) => label)
  if (dryRun) {
    terminal.print(`Would remove ${[...labels, ...names].join(', ')}, and forget ${name}`)
    Object.assign(outcome, { name, instances: labels, remains: names, removed: false })
    return
  }
  await assertUnused(deployment, name, waitMs)
  const removed: string[] = []
  for (const [index, { version, build }] of builds.entries())
    if (await store.remove({ name, version, build, collections: {} })) removed.push(labels[index]!)
  for (const { label, remove } of remains) if (await remove()) removed.push(label)
  // Last, since the plan says what there is to remove.
  await changePlan(control, (current) => retire(current, name))
  terminal.print(
    `Retired ${name}: removed ${removed.length === 0 ? 'nothing, there were no rows' : removed.join(', ')}`,
  )
  terminal.print(`next: ${next('projections status')}`)
  Object.assign(outcome, { name, instances: labels, remains: names, removed })
}

/** A process of an older release that has it would go on with it, or plan it anew. */
async function assertUnused({ control, verb }: Deployment, name: string, timeoutMs: number): Promise<void> {
  const watch = new PresenceWatch({ control, now: () => performance.now() })
  let users: PresentProcess[] = []
  const isFree = await waitFor(
    async () => {
      users = (await watch.read()).filter((process) => process.alive && uses(process, name))
      return users.length === 0 ? true : undefined
    },
    { signal: verb.signal, timeoutMs },
  )
  if (isFree) return
  throw new LedgerError(
    'not_followed',
    `${labelsOf(users)} still has ${name}, or answers from it; deploy the release without it there, then run the same command again. Nothing was removed`,
    { name, users: users.map(({ id }) => id) },
  )
}

function uses({ runs = [], serves = {}, knows = {} }: PresentProcess, name: string): boolean {
  return runs.some((run) => run.name === name) || serves[name] !== undefined || (knows[name] ?? []).length > 0
}
