import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeVersion } from '#src/cli/code-version.ts'
import { type Deployment, projectionOf } from '#src/cli/verbs/projections/deployment.ts'
import { formatInstanceProgress, ProgressDisplay } from '#src/cli/verbs/projections/progress.ts'
import { waitFor } from '#src/cli/verbs/projections/waiting.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { markBuilt } from '#src/operations/decide.ts'
import type { InstancePlan, NamedInstance } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { announcePresence, readPresence } from '#src/operations/presence.ts'
import { projectionOfInstance } from '#src/runtime/projection.ts'
import { type RebuildProgress, rebuildProjection } from '#src/runtime/rebuild.ts'
import type { RunningInstance } from '#src/runtime/status.ts'

/** How often the plan is asked for a changed bound, and another owner for where it stands. */
const lookIntervalMs = 1_000

/**
 * Brings an instance to the end of the log and marks it built; running projectors keep it up to date from there. While
 * another process fills it, that one is watched, and followed when it goes away. Resolves to false when the signal came
 * first: what is done stays, and another call goes on.
 */
export async function fillInstance(
  deployment: Deployment,
  instance: NamedInstance,
  signal: AbortSignal,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (!(await fillHere(deployment, instance, signal))) return false
      await changePlan(deployment.control, (plan) => markBuilt(plan, instance.name, instance.id))
      return true
    } catch (error) {
      if (!isLedgerError(error, 'owner_busy')) throw error
      if (attempt === 1) deployment.verb.terminal.print(`Another process works on ${labelOf(instance)}; watching it`)
      const outcome = await watchOther(deployment, instance, signal)
      if (outcome !== 'gone') return outcome === 'built'
      // One that was killed keeps its right for a while.
      await sleep(lookIntervalMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function fillHere(deployment: Deployment, instance: NamedInstance, signal: AbortSignal): Promise<boolean> {
  const { verb, store, control } = deployment
  const { name, generation } = instance
  const display = new ProgressDisplay(verb)
  const ended = new AbortController()
  let newest: RebuildProgress | undefined
  let bound = instance.eventsPerSecondMax
  const followBound = setInterval(() => {
    const look = async () => (bound = (await planned(deployment, instance))?.eventsPerSecondMax ?? null)
    look().catch((error: unknown) => verb.logger.debug({ err: error }, 'plan could not be read'))
  }, lookIntervalMs)
  const presence = announcePresence({
    control,
    role: 'rebuild',
    codeVersion,
    host: hostname(),
    pid: process.pid,
    figures: () => ({ runs: [runOf(instance, newest)] }),
    signal: ended.signal,
    logger: verb.logger,
  })
  try {
    const result = await rebuildProjection({
      log: await deployment.log(generation),
      store,
      projection: projectionOfInstance(projectionOf(name, instance.version), instance),
      limits: verb.config.projection,
      eventsPerSecondMax: () => bound ?? undefined,
      signal,
      logger: verb.logger,
      onProgress: (progress) => {
        newest = progress
        show(display, instance, progress)
      },
    })
    const { eventsPerSecond = 0, head = result.position } = newest ?? {}
    const standing = { position: result.position, head, eventsPerSecond, etaSeconds: undefined }
    verb.terminal.print(
      `${formatInstanceProgress(labelOf(instance), standing)}  ${result.finished ? 'built' : 'stopped'}`,
    )
    return result.finished
  } finally {
    clearInterval(followBound)
    display.end(labelOf(instance))
    ended.abort()
    await presence.ended
  }
}

/** Shows what another process does with the instance until it is built, nobody runs it any more, or the signal. */
async function watchOther(
  deployment: Deployment,
  instance: NamedInstance,
  signal: AbortSignal,
): Promise<'built' | 'gone' | 'stopped'> {
  const { verb, control } = deployment
  const { name, id } = instance
  const display = new ProgressDisplay(verb)
  const outcome = await waitFor(
    async () => {
      const current = await planned(deployment, instance)
      if (current === undefined) throw pruned(instance)
      if (current.state === 'built') return 'built' as const
      const runs = (await readPresence(control, Date.now()))
        .filter(({ alive }) => alive)
        .flatMap(({ runs = [] }) => runs)
      const run = runs.find((each) => each.name === name && each.id === id && each.epoch !== null)
      if (run === undefined) return 'gone' as const
      const left = run.head - run.position
      show(display, instance, { ...run, etaSeconds: run.eventsPerSecond > 0 ? left / run.eventsPerSecond : undefined })
      return undefined
    },
    { signal, timeoutMs: Number.POSITIVE_INFINITY, pollMs: lookIntervalMs },
  )
  display.end(labelOf(instance))
  return outcome ?? 'stopped'
}

async function planned({ control }: Deployment, { name, id }: NamedInstance): Promise<InstancePlan | undefined> {
  return (await readPlan(control)).readModels[name]?.instances[id]
}

function show(display: ProgressDisplay, instance: NamedInstance, progress: Omit<RebuildProgress, 'epoch'>): void {
  const { name, id, version } = instance
  const { position, head, eventsPerSecond } = progress
  const fields = {
    projection: name,
    version,
    instance: id,
    position,
    head,
    eventsPerSecond: Math.round(eventsPerSecond),
  }
  display.show(labelOf(instance), formatInstanceProgress(labelOf(instance), progress), fields)
}

function runOf({ name, id, version, build, generation }: NamedInstance, progress?: RebuildProgress): RunningInstance {
  const { position = 0, head = 0, eventsPerSecond = 0, epoch = null } = progress ?? {}
  return { name, id, version, build, generation, state: 'rebuilding', epoch, position, head, eventsPerSecond }
}

function labelOf({ name, id }: NamedInstance): string {
  return `${name} v${id}`
}

function pruned({ name, id }: NamedInstance): LedgerError {
  return new LedgerError('operation_refused', `${name} v${id} is not in the plan any more; it was pruned meanwhile`)
}
