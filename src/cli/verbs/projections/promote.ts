import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { chosenNames, isAllowed } from '#src/cli/verbs/projections/chosen.ts'
import { type Deployment, schemaOf, watched, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { confirmed, promote, rollBack } from '#src/operations/decide.ts'
import type { NamedInstance, Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import { labelsOf as processesOf, processLabel } from '#src/operations/processes.ts'
import { assertServersKnow, type Switch, type Switches, waitForServers, whyNotKept } from '#src/operations/switch.ts'
import { assertHoldNoLess, assertWhole, getTargets, type Instances } from '#src/runtime/replay/promotable.ts'
import { formatLag } from '#src/runtime/watch/status.ts'

interface Options {
  readonly all?: boolean
  readonly version?: string
  readonly maxLagEvents: string
  readonly wait: string
  readonly dryRun?: boolean
  readonly allowOlder?: boolean
  readonly leaveBehind?: boolean
}

const promoteExamples = `  ledger-history projections promote blocks                 its newest built instance
  ledger-history projections promote blocks transactions    both in one step
  ledger-history projections promote --all                  every one that has a newer built instance, in one step
  ledger-history projections promote blocks --version 2 --dry-run`

const rollbackExamples = `  ledger-history projections rollback blocks
  ledger-history projections rollback blocks transactions    both in one step`

export function addProjectionsPromote(group: Command): void {
  const command = group.command('promote').argument('[names...]', 'read models')
  command.description('Let another built instance of each of these read models answer, all in one step')
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the newest built one unless given)')
  command.option('--allow-older', 'accept an instance that holds fewer events than the serving one')
  command.option(
    '--leave-behind',
    'let processes of an earlier release, which cannot answer from it, go on with what served before until they are stopped',
  )
  addSwitchOptions(command, promoteExamples)
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const options = command.opts<Options>()
        const id = instanceIdOf(options.version)
        const fits = (plan: Plan, name: string) => isAllowed(() => promote(plan, [{ name }]))
        const each = await chosenNames(deployment, names, options.all, fits, 'has a newer built instance')
        const promotions = each.map((name) => ({ name, ...(id === undefined ? {} : { id }) }))
        const decide = (plan: Plan): Plan => promote(plan, promotions)
        if (options.allowOlder !== true) {
          const plan = await readPlan(deployment.control)
          await assertHoldNoLess(deployment.store, plan, decide(plan), each)
        }
        await change(deployment, 'Promoted', each, options, decide)
      }),
    ),
  )
}

export function addProjectionsRollback(group: Command): void {
  const command = group.command('rollback').argument('[names...]', 'read models')
  command.description('Let the instance that served before answer again, of all these read models in one step')
  addSwitchOptions(command, rollbackExamples)
  command.action((names: string[]) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const options = command.opts<Options>()
        const fits = (plan: Plan, name: string) => isAllowed(() => rollBack(plan, [name]))
        const each = await chosenNames(deployment, names, options.all, fits, 'has an earlier instance to return to')
        return change(deployment, 'Rolled back', each, options, (plan) => rollBack(plan, each))
      }),
    ),
  )
}

function addSwitchOptions(command: Command, examples: string): void {
  command.option('--all', 'every read model that could be moved')
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
  { maxLagEvents, wait, dryRun = false, leaveBehind = false }: Options,
  decide: (plan: Plan) => Plan,
): Promise<void> {
  const { control, verb } = deployment
  const lagMax = wholeNumber(maxLagEvents, '--max-lag-events', 0)!
  const waitMs = wholeNumber(wait, '--wait', 0)! * 1_000
  const processes = watched(deployment)
  const targets = await getTargets(instancesIn(deployment), decide(await readPlan(control)), names, lagMax)
  const behind = await assertServersKnow(processes, targets, leaveBehind)
  // Whoever goes back has a reason that does not wait for this.
  if (done === 'Promoted') await assertWhole({ ...instancesIn(deployment), control }, targets, verb.signal)
  const reason = done === 'Promoted' ? await whyNotKept(processes, targets) : undefined
  if (reason !== undefined) throw new LedgerError('version_unknown', reason)
  if (dryRun) {
    verb.terminal.print(`${labelsOf(targets)} could serve now; nothing was changed`)
    Object.assign(verb.outcome, { instances: targets.map(({ name, id }) => ({ name, id })), changed: false })
    return
  }
  const changedAtMs = performance.now()
  const plan = await changePlan(control, (current) => confirmed(decide(current), targets))
  const advice = done === 'Promoted' ? `, or run "ledger-history projections rollback ${names.join(' ')}"` : ''
  const waiting = { changedAtMs, timeoutMs: waitMs, advice, leaveBehind }
  report(deployment, done, targets, { ...(await waitForServers(processes, targets, waiting)), behind })
  verb.terminal.print(nextAfter(deployment, done, plan, names))
  if (done === 'Promoted') return
  // Whoever goes back has a reason that does not wait for this.
  const falling = await whyNotKept(processes, targets)
  if (falling !== undefined) verb.logger.warn({ reason: falling }, 'what serves again will fall behind')
}

interface Report extends Switches {
  readonly behind: readonly PresentProcess[]
}

function report(
  { verb: { terminal, outcome } }: Deployment,
  done: string,
  targets: readonly NamedInstance[],
  { followed, silent, behind }: Report,
): void {
  Object.assign(outcome, {
    instances: targets.map(({ name, id }) => ({ name, id })),
    changed: true,
    followed,
    silent: silent.map(processLabel),
    behind: [...new Set(behind.map(processLabel))],
  })
  terminal.print(
    `${done}: ${labelsOf(targets)} ${targets.length === 1 ? 'serves' : 'serve'}${formatSwitches(followed)}`,
  )
  if (behind.length > 0) terminal.print(`Left behind, with what served before: ${processesOf(behind)}; stop it soon`)
  for (const process of silent) terminal.print(formatSilent(process, targets))
}

function instancesIn({ store, log }: Deployment): Instances {
  return { store, log, schemaOf: (instance) => schemaOf(instance.name, instance) }
}

function formatSwitches(switches: readonly Switch[]): string {
  if (switches.length === 0) return '; no process serves requests now'
  const each = switches.map(({ process, afterMs }) => `${process} after ${Math.round(afterMs)} ms`)
  return ` from ${each.join(', ')}`
}

/** With what a query process that hangs answers from when it wakes up, for a moment, where that is not what serves now. */
function formatSilent(process: PresentProcess, targets: readonly NamedInstance[]): string {
  const { beatAt, serves = {} } = process
  const seconds = Math.max(0, Date.now() - Date.parse(beatAt)) / 1_000
  const others = targets.filter(({ name, id }) => serves[name] !== undefined && serves[name] !== id)
  const before = inWords(others.map(({ name }) => `${name} v${serves[name]}`))
  const danger =
    before === '' ? '' : `; waking up, it would answer from ${before} for a moment, not from ${labelsOf(others)}`
  return `${process.role} ${processLabel(process)} gives no sign of life for ${formatLag(seconds, 0)}: it hangs or was killed${danger}. Nobody waits for it; look at its log, and stop it`
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
  return `next: ${inWords(again)}, once the reason is gone`
}

function labelsOf(instances: readonly NamedInstance[]): string {
  return inWords(instances.map(({ name, id }) => `${name} v${id}`))
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}
