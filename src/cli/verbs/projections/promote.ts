import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, schemaOf, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { processLabel } from '#src/cli/verbs/projections/processes.ts'
import { assertServersKnow, type Switch, waitForServers, whyNotKept } from '#src/cli/verbs/projections/switch.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { confirmed, promote, rollBack } from '#src/operations/decide.ts'
import { decisionsGeneration, type NamedInstance, type Plan, servingInstance } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import type { Position } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { formatCount, formatLag } from '#src/runtime/watch/status.ts'

/** So long an instance that is kept up to date may be behind the one that serves. */
const catchUpMaxMs = 5_000
const catchUpPollMs = 100

interface Options {
  readonly version?: string
  readonly maxLagEvents: string
  readonly wait: string
  readonly dryRun?: boolean
  readonly allowOlder?: boolean
}

const promoteExamples = `  ledger-history projections promote blocks                 its newest built instance
  ledger-history projections promote blocks transactions    both in one step
  ledger-history projections promote blocks --version 2 --dry-run`

const rollbackExamples = `  ledger-history projections rollback blocks
  ledger-history projections rollback blocks transactions    both in one step`

export function addProjectionsPromote(group: Command): void {
  const command = group.command('promote').argument('<names...>', 'read models')
  command.description('Let another built instance of each of these read models answer, all in one step')
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the newest built one unless given)')
  command.option('--allow-older', 'accept an instance that holds fewer events than the serving one')
  addSwitchOptions(command, promoteExamples)
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const options = command.opts<Options>()
        const id = instanceIdOf(options.version)
        const promotions = [...new Set(names)].map((name) => ({ name, ...(id === undefined ? {} : { id }) }))
        const decide = (plan: Plan): Plan => promote(plan, promotions)
        if (options.allowOlder !== true) await assertHoldNoLess(deployment, decide, [...new Set(names)])
        await change(deployment, 'Promoted', [...new Set(names)], options, decide)
      }),
    ),
  )
}

export function addProjectionsRollback(group: Command): void {
  const command = group.command('rollback').argument('<names...>', 'read models')
  command.description('Let the instance that served before answer again, of all these read models in one step')
  addSwitchOptions(command, rollbackExamples)
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, (deployment) => {
        const each = [...new Set(names)]
        return change(deployment, 'Rolled back', each, command.opts<Options>(), (plan) => rollBack(plan, each))
      }),
    ),
  )
}

function addSwitchOptions(command: Command, examples: string): void {
  command.option('--max-lag-events <n>', 'refuse an instance that is further behind the log', '10000')
  command.option('--wait <seconds>', 'how long serving processes may take to follow', '30')
  command.option('--dry-run', 'check everything, change nothing')
  addDeploymentOptions(command, examples)
}

/** Checks the decision, puts it into force, and waits until every serving process answers accordingly. */
async function change(
  deployment: Deployment,
  done: 'Promoted' | 'Rolled back',
  names: readonly string[],
  { maxLagEvents, wait, dryRun = false }: Options,
  decide: (plan: Plan) => Plan,
): Promise<void> {
  const { control, verb } = deployment
  const lagMax = wholeNumber(maxLagEvents, '--max-lag-events', 0)!
  const waitMs = wholeNumber(wait, '--wait', 0)! * 1_000
  const targets = await checked(deployment, decide(await readPlan(control)), names, lagMax)
  const reason = done === 'Promoted' ? await whyNotKept(deployment, targets) : undefined
  if (reason !== undefined) throw new LedgerError('version_unknown', reason)
  if (dryRun) {
    verb.terminal.print(`${labelsOf(targets)} could serve now; nothing was changed`)
    return
  }
  const changedAtMs = performance.now()
  const plan = await changePlan(control, (current) => confirmed(decide(current), targets))
  const advice = done === 'Promoted' ? `, or run "ledger-history projections rollback ${names.join(' ')}"` : ''
  const { followed, silent } = await waitForServers(deployment, targets, { changedAtMs, timeoutMs: waitMs, advice })
  verb.terminal.print(`${done}: ${labelsOf(targets)} serves${formatSwitches(followed)}`)
  for (const process of silent) verb.terminal.print(formatSilent(process, names))
  verb.terminal.print(nextAfter(deployment, done, plan, names))
  if (done === 'Promoted') return
  // Whoever goes back has a reason that does not wait for this.
  const falling = await whyNotKept(deployment, targets)
  if (falling !== undefined) verb.logger.warn({ reason: falling }, 'what serves again will fall behind')
}

/** The instances that are to serve, once it is certain that they can. */
async function checked(
  deployment: Deployment,
  next: Plan,
  names: readonly string[],
  lagMax: number,
): Promise<NamedInstance[]> {
  const targets = names.map((name) => servingInstance(next, name)!)
  for (const target of targets) {
    if (target.generation !== next.generation && target.generation !== decisionsGeneration)
      throw otherGeneration(target, next.generation)
    await assertFresh(deployment, target, lagMax)
  }
  await assertServersKnow(deployment, targets)
  return targets
}

/**
 * What serves next has to have all that serves now, or answers would go back in time. Whoever keeps it up to date may be a
 * moment behind.
 */
async function assertHoldNoLess(
  { control, store }: Deployment,
  decide: (plan: Plan) => Plan,
  names: readonly string[],
): Promise<void> {
  const plan = await readPlan(control)
  const next = decide(plan)
  for (const name of names) {
    const [before, after] = [servingInstance(plan, name), servingInstance(next, name)]
    if (before === undefined || after === undefined || before.generation !== after.generation) continue
    const wanted = await positionOf(store, before)
    const deadline = performance.now() + catchUpMaxMs
    let has = await positionOf(store, after)
    while (has < wanted && performance.now() < deadline) {
      await sleep(catchUpPollMs)
      has = await positionOf(store, after)
    }
    if (has < wanted) throw holdsLess(name, before.id, wanted, after.id, has)
  }
}

async function positionOf(store: ReadStore, { name, ...instance }: NamedInstance): Promise<Position> {
  const reader = await store.openReader(schemaOf(name, instance))
  try {
    return (await reader.checkpoint())?.position ?? 0
  } finally {
    await reader.close()
  }
}

function holdsLess(name: string, serving: string, wanted: Position, id: string, has: Position): LedgerError {
  return new LedgerError(
    'operation_refused',
    `${name} v${id} holds ${formatCount(has)} events, ${formatCount(wanted - has)} fewer than v${serving}, which serves; run "ledger-history project" until it has them, or accept the loss with --allow-older`,
    { name, id, position: has, serving, servingPosition: wanted },
  )
}

async function assertFresh({ store, log }: Deployment, target: NamedInstance, lagMax: number): Promise<void> {
  const { name, id, generation } = target
  const reader = await store.openReader(schemaOf(name, target))
  try {
    const { sequence: head } = await (await log(generation)).head()
    const lag = head - ((await reader.checkpoint())?.position ?? 0)
    if (lag <= lagMax) return
    throw new LedgerError(
      'operation_refused',
      `${name} v${id} is ${formatCount(lag)} events behind the log, more than ${formatCount(lagMax)}; keep it up to date with "ledger-history project", or allow it with --max-lag-events`,
      { name, id, lagEvents: lag },
    )
  } finally {
    await reader.close()
  }
}

function otherGeneration({ name, id, generation }: NamedInstance, serving: number): LedgerError {
  return new LedgerError(
    'operation_refused',
    `${name} v${id} is made from log generation ${generation}, but generation ${serving} serves; all read models move to another generation together, with "ledger-history import promote"`,
    { name, id, generation, serving },
  )
}

function formatSwitches(switches: readonly Switch[]): string {
  if (switches.length === 0) return '; no process serves requests now'
  const each = switches.map(({ process, afterMs }) => `${process} after ${Math.round(afterMs)} ms`)
  return ` from ${each.join(', ')}`
}

/** With what a query process that hangs answers from when it wakes up, for a moment. */
function formatSilent(process: PresentProcess, names: readonly string[]): string {
  const { beatAt, serves = {} } = process
  const seconds = Math.max(0, Date.now() - Date.parse(beatAt)) / 1_000
  const before = names.flatMap((name) => (serves[name] === undefined ? [] : [`${name} v${serves[name]}`]))
  const danger = before.length === 0 ? '' : `; if it wakes up it answers from ${before.join(' and ')} until it follows`
  return `${process.role} ${processLabel(process)} gives no sign of life for ${formatLag(seconds, 0)}: it hangs or was killed${danger}. Stop it, or look at its log`
}

function nextAfter(
  { next }: Deployment,
  done: 'Promoted' | 'Rolled back',
  { readModels }: Plan,
  names: readonly string[],
): string {
  const list = names.join(' ')
  if (done === 'Promoted')
    return `next: ${next(`projections prune ${list}`)}, or back: ${next(`projections rollback ${list}`)}`
  const again = names.map((name) => next(`projections promote ${name} --version ${readModels[name]?.rolledBack}`))
  return `next: ${again.join(' and ')}, once the reason is gone`
}

function labelsOf(instances: readonly NamedInstance[]): string {
  return instances.map(({ name, id }) => `${name} v${id}`).join(' and ')
}
