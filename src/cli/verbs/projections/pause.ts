import type { Command } from 'commander'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { ownerOf, processLabel, projectors } from '#src/cli/verbs/projections/processes.ts'
import { waitFor } from '#src/cli/verbs/projections/waiting.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { resume, setPaused } from '#src/operations/decide.ts'
import { isPaused, type Plan } from '#src/operations/plan.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import { PresenceWatch } from '#src/operations/presence.ts'

interface Options {
  readonly version?: string
  readonly wait: string
}

const pauseExamples = `  ledger-history projections pause transactions
  ledger-history projections pause transactions --version 2    an instance that does not serve`

const resumeExamples = `  ledger-history projections resume transactions
  ledger-history projections resume transactions --version 2`

export function addProjectionsPause(group: Command): void {
  const command = group.command('pause').argument('<name>', 'read model')
  command.description('Stop bringing an instance of a read model forward; it goes on answering requests')
  addPauseOptions(command, pauseExamples)
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, wait } = command.opts<Options>()
        const { id, wasPaused } = await pauseInstance(deployment, name, instanceIdOf(version), waitMsOf(wait))
        const next = deployment.next(`projections resume ${name}${versionFlag(version, id)}`)
        if (wasPaused) {
          const message = `${name} v${id} is paused already, and nobody brings it forward; to let it go on, run "${next}"`
          throw new LedgerError('operation_refused', message, { name, id })
        }
        verb.terminal.print(`Paused ${name} v${id}; next: ${next}`)
      }),
    ),
  )
}

export function addProjectionsResume(group: Command): void {
  const command = group.command('resume').argument('<name>', 'read model')
  command.description('Bring a paused instance of a read model forward again')
  addPauseOptions(command, resumeExamples)
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, wait } = command.opts<Options>()
        const { id, owner, runner } = await resumeInstance(deployment, name, instanceIdOf(version), waitMsOf(wait))
        verb.terminal.print(
          owner === undefined
            ? `Resumed ${name} v${id}, but no process has taken it up; next: ${deployment.next(runner)}`
            : `Resumed ${name} v${id}, run by ${owner}; next: ${deployment.next('projections status')}`,
        )
      }),
    ),
  )
}

function addPauseOptions(command: Command, examples: string): void {
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the serving one unless given)')
  command.option('--wait <seconds>', 'how long running processes may take to follow', '30')
  addDeploymentOptions(command, examples)
}

export interface PausedInstance {
  readonly id: string
  /** It was paused before, and its owner had let go already. */
  readonly wasPaused: boolean
}

/** Stops an instance and waits until its owner has let go of it. Throws `not_followed` when it does not. */
export async function pauseInstance(
  deployment: Deployment,
  name: string,
  wanted: string | undefined,
  timeoutMs: number,
): Promise<PausedInstance> {
  let wasPaused = false
  const plan = await changePlan(deployment.control, (current) => {
    const next = setPaused(current, name, wanted, true)
    wasPaused = isPaused(current, name, idOf(current, name, wanted))
    return wasPaused ? current : next
  })
  const id = idOf(plan, name, wanted)
  const watch = new PresenceWatch({ control: deployment.control, now: () => performance.now() })
  let owner: string | undefined
  const isFree = await waitFor(
    async () => {
      const runner = ownerOf(await watch.read(), name, id)
      owner = runner && processLabel(runner.process)
      if (runner !== undefined) wasPaused = false
      return runner === undefined ? true : undefined
    },
    { signal: deployment.verb.signal, timeoutMs },
  )
  if (isFree) return { id, wasPaused }
  throw new LedgerError(
    'not_followed',
    `${name} v${id} is paused in the plan, but ${owner} has not let go of it yet; look at its log, or wait longer with --wait`,
    { name, id, owner },
  )
}

export interface Resumed {
  readonly id: string
  /** The process that runs it now; undefined when none did within the time, or none is there. */
  readonly owner: string | undefined
  /** The verb whose process brings such an instance forward. */
  readonly runner: string
}

/** Lets a paused instance go on and waits until a process has taken it up. */
export async function resumeInstance(
  { control, verb }: Deployment,
  name: string,
  wanted: string | undefined,
  timeoutMs: number,
): Promise<Resumed> {
  const plan = await changePlan(control, (current) => resume(current, name, wanted))
  const id = idOf(plan, name, wanted)
  const { state, version, generation } = plan.readModels[name]!.instances[id]!
  const rebuild = `projections rebuild ${name} --version ${version}`
  const runner = state === 'built' ? 'project' : `${rebuild} --generation ${generation}`
  const watch = new PresenceWatch({ control, now: () => performance.now() })
  const owner = await waitFor(
    async () => {
      const processes = await watch.read()
      const runner = ownerOf(processes, name, id)
      if (runner) return processLabel(runner.process)
      return projectors(processes).length === 0 ? 'nobody' : undefined
    },
    { signal: verb.signal, timeoutMs },
  )
  return { id, owner: owner === 'nobody' ? undefined : owner, runner }
}

function idOf(plan: Plan, name: string, wanted: string | undefined): string {
  return wanted ?? plan.readModels[name]!.serving
}

function waitMsOf(text: string): number {
  return wholeNumber(text, '--wait', 0)! * 1_000
}

function versionFlag(version: string | undefined, id: string): string {
  return version === undefined ? '' : ` --version ${id}`
}
