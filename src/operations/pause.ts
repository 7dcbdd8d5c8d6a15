import { LedgerError } from '#src/domain/errors.ts'
import { resume, setPaused } from '#src/operations/decide.ts'
import { isPaused, type Plan } from '#src/operations/plan.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import { PresenceWatch } from '#src/operations/presence.ts'
import { ownerOf, processLabel, projectors } from '#src/operations/processes.ts'
import type { Watched } from '#src/operations/switch.ts'
import { waitFor } from '#src/operations/wait-for.ts'

export interface PausedInstance {
  readonly id: string
  /** It was paused before, and its owner had let go already. */
  readonly wasPaused: boolean
}

/** Stops an instance and waits until its owner has let go of it. Throws `not_followed` when it does not. */
export async function pauseInstance(
  { control, signal }: Watched,
  name: string,
  wanted: string | undefined,
  timeoutMs: number,
): Promise<PausedInstance> {
  let wasPaused = false
  const plan = await changePlan(control, (current) => {
    const next = setPaused(current, name, wanted, true)
    wasPaused = isPaused(current, name, idOf(current, name, wanted))
    return wasPaused ? current : next
  })
  const id = idOf(plan, name, wanted)
  const watch = new PresenceWatch({ control, now: () => performance.now() })
  let owner: string | undefined
  const isFree = await waitFor(
    async () => {
      const runner = ownerOf(await watch.read(), name, id)
      owner = runner && processLabel(runner.process)
      if (runner !== undefined) wasPaused = false
      return runner === undefined ? true : undefined
    },
    { signal, timeoutMs },
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
  { control, signal }: Watched,
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
    { signal, timeoutMs },
  )
  return { id, owner: owner === 'nobody' ? undefined : owner, runner }
}

function idOf(plan: Plan, name: string, wanted: string | undefined): string {
  return wanted ?? plan.readModels[name]!.serving
}
