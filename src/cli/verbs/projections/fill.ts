import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import { type Deployment, projectionOf } from '#src/cli/verbs/projections/deployment.ts'
import { formatInstanceProgress, ProgressDisplay } from '#src/cli/verbs/projections/progress.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { markBuilt } from '#src/operations/decide.ts'
import type { InstancePlan, NamedInstance } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { announcePresence, type Presence, PresenceWatch } from '#src/operations/presence.ts'
import { ownerOf } from '#src/operations/processes.ts'
import type { RunningInstance } from '#src/operations/running-instance.ts'
import { waitFor } from '#src/operations/wait-for.ts'
import { rest } from '#src/ports/clock.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { type RebuildProgress, rebuildProjection } from '#src/runtime/replay/rebuild.ts'

/** How often the plan is asked for a changed bound, and another owner for where it stands. */
const lookIntervalMs = 1_000

/** `held`: the plan has it paused, or without the instance. */
type Outcome = 'built' | 'stopped' | 'held'

/** What this process tells the others of one instance that it fills. */
interface Shown {
  newest: RebuildProgress | undefined
}

/** The instances that this process fills; it shows itself to the others once for all of them. */
export class Filling {
  readonly #deployment: Deployment
  readonly #shown = new Map<NamedInstance, Shown>()

  constructor(deployment: Deployment) {
    this.#deployment = deployment
  }

  announce(signal: AbortSignal): Presence {
    const { control, verb } = this.#deployment
    return announcePresence({
      control,
      role: 'rebuild',
      codeVersion,
      host: hostname(),
      pid: process.pid,
      figures: () => ({ runs: [...this.#shown].map(([instance, { newest }]) => runOf(instance, newest)) }),
      signal,
      logger: verb.logger,
    })
  }

  /**
   * Brings an instance to the end of the log and marks it built; running projectors keep it up to date from there. While
   * another process fills it, that one is watched, and followed when it goes away; while it is paused, it is waited for.
   * Resolves to false when the signal came first: what is done stays, and another call goes on. Throws `operation_refused` when
   * the instance is pruned.
   */
  async fill(instance: NamedInstance, signal: AbortSignal): Promise<boolean> {
    const shown: Shown = { newest: undefined }
    this.#shown.set(instance, shown)
    try {
      return await fillInTurns(this.#deployment, instance, { shown, signal })
    } finally {
      this.#shown.delete(instance)
    }
  }
}

interface FillOptions {
  readonly shown: Shown
  readonly signal: AbortSignal
}

async function fillInTurns(deployment: Deployment, instance: NamedInstance, options: FillOptions): Promise<boolean> {
  const { signal } = options
  for (let watched = false; ; ) {
    try {
      const outcome = await fillHere(deployment, instance, options)
      if (outcome === 'stopped') return false
      if (outcome === 'built') return await finish(deployment, instance)
      await untilResumed(deployment, instance, signal)
      if (signal.aborted) return false
    } catch (error) {
      if (!isLedgerError(error, 'owner_busy')) throw error
      if (!watched) deployment.verb.terminal.print(`Another process works on ${labelOf(instance)}; watching it`)
      watched = true
      const outcome = await watchOther(deployment, instance, signal)
      if (outcome !== 'gone') return outcome === 'built'
      // One that was killed keeps its right for a while.
      await rest(lookIntervalMs, signal)
    }
  }
}

async function finish({ control }: Deployment, instance: NamedInstance): Promise<true> {
  const { name, id } = instance
  await changePlan(control, (plan) => {
    if (plan.readModels[name]?.instances[id] === undefined) throw pruned(instance)
    return markBuilt(plan, name, id)
  })
  return true
}

async function untilResumed(deployment: Deployment, instance: NamedInstance, signal: AbortSignal): Promise<void> {
  const { name, id } = instance
  const resume = deployment.next(`projections resume ${name} --version ${id}`)
  deployment.verb.terminal.print(`${labelOf(instance)} is paused; it goes on here after ${resume}`)
  await waitFor(
    async () => {
      const current = await planned(deployment, instance)
      if (current === undefined) throw pruned(instance)
      return current.paused ? undefined : true
    },
    { signal, timeoutMs: Number.POSITIVE_INFINITY, pollMs: lookIntervalMs },
  )
}

async function fillHere(
  deployment: Deployment,
  instance: NamedInstance,
  { shown, signal }: FillOptions,
): Promise<Outcome> {
  const { verb, store } = deployment
  const { name, generation } = instance
  const display = new ProgressDisplay(verb)
  const held = new AbortController()
  let bound = instance.eventsPerSecondMax
  const followPlan = setInterval(() => {
    const look = async (): Promise<void> => {
      const current = await planned(deployment, instance)
      if (current === undefined || current.paused) held.abort()
      else bound = current.eventsPerSecondMax
    }
    look().catch((error: unknown) => verb.logger.debug({ err: error }, 'plan could not be read'))
  }, lookIntervalMs)
  try {
    const result = await rebuildProjection({
      log: await deployment.log(generation),
      store,
      projection: projectionOfInstance(projectionOf(deployment, name, instance.version), instance),
      limits: verb.config.projection,
      eventsPerSecondMax: () => bound ?? undefined,
      signal: AbortSignal.any([signal, held.signal]),
      logger: verb.logger,
      onProgress: (progress) => {
        shown.newest = progress
        show(display, instance, progress)
      },
    })
    const outcome = result.finished ? 'built' : 'stopped'
    // Told to stop before the log has said where it ends, nobody knows how far it is.
    const standing = shown.newest && { ...shown.newest, position: result.position, etaSeconds: undefined }
    const text = standing === undefined ? labelOf(instance) : formatInstanceProgress(labelOf(instance), standing)
    verb.terminal.print(`${text}  ${outcome}`)
    return outcome === 'stopped' && !signal.aborted ? 'held' : outcome
  } finally {
    clearInterval(followPlan)
    display.end(labelOf(instance))
    shown.newest = undefined
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
  const watch = new PresenceWatch({ control, now: () => performance.now() })
  const outcome = await waitFor(
    async () => {
      const current = await planned(deployment, instance)
      if (current === undefined) throw pruned(instance)
      if (current.state === 'built') return 'built' as const
      const run = ownerOf(await watch.read(), name, id)?.run
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
