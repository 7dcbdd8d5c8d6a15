import { isLedgerError } from '#src/domain/errors.ts'
import { adopt, type KnownVersion } from '#src/operations/decide.ts'
import { instancesOf, isPaused, type NamedInstance, type Plan, publishingInstance } from '#src/operations/plan.ts'
import { changePlan } from '#src/operations/plan-store.ts'
import type { RunningInstance } from '#src/operations/running-instance.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import {
  defaultProjectorLimits,
  type ProjectionProgress,
  type ProjectorLimits,
} from '#src/runtime/fold/projector-limits.ts'
import { RowMemory } from '#src/runtime/fold/row-memory.ts'
import type { OutputOptions } from '#src/runtime/outputs/output-publishers.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import { InstanceKeeper, type InstanceKeeperOptions } from '#src/runtime/replay/instance-keeper.ts'
import { LogFeeds } from '#src/runtime/replay/log-feeds.ts'

export interface SuperviseOptions {
  readonly control: ControlStore
  readonly store: ReadStore
  /** Opens the log of a generation; it is closed here when nothing reads it any more. */
  readonly openLog: (generation: number) => Promise<MessageLog>
  /** Every version of every read model that this code has a fold for. */
  readonly projections: readonly AnyProjection[]
  /** Names of the read models to keep; all unless given. */
  readonly only?: readonly string[]
  /** Stop at once, leaving the store whole. */
  readonly signal: AbortSignal
  /** Bring everything to the end of the log as it is, then end. */
  readonly finish: AbortSignal
  readonly logger: Logger
  readonly limits?: Partial<ProjectorLimits>
  readonly onProgress?: (progress: ProjectionProgress) => void
  /** Told where an instance stands, at most once a second each, after the commit: for the log's own lag tools. */
  readonly reportProgress?: (instance: RunningInstance, position: number, log: MessageLog) => Promise<void>
  /** What subscribers are told; nothing unless given. */
  readonly outputs?: OutputOptions
  /** How often the plan is read. */
  readonly planPollMs?: number
  /** Others keep other read models in the same process: it goes on for them when every serving instance here has failed. */
  readonly isOneOfSeveral?: boolean
}

export interface Supervision {
  /** Resolves when signal or finish has ended it; rejects with what a serving instance failed of. */
  readonly ended: Promise<void>
  /** What is kept here right now. */
  instances(): readonly RunningInstance[]
  /** The plan as last seen; undefined before the first look. */
  plan(): Plan | undefined
}

/**
 * Keeps running exactly those instances that the plan wants kept up to date and that this code knows: the serving ones, and
 * other built ones so that a way back has fresh data. Those of one log generation share a reader. Changes of the plan are
 * followed one by one, without disturbing the others. What another process keeps is waited for. An instance that cannot be
 * folded is set aside until the plan changes for it, and the others go on; only when none that serves is left, or at the end
 * of the work, its failure is told.
 */
export function superviseProjections(options: SuperviseOptions): Supervision {
  const supervisor = new Supervisor(options)
  return { ended: supervisor.run(), instances: () => supervisor.instances(), plan: () => supervisor.plan }
}

interface Kept {
  readonly keeper: InstanceKeeper
  readonly stop: AbortController
  /** As of when it began. */
  readonly serving: boolean
  ended: Promise<void>
}

class Supervisor {
  readonly #options: SuperviseOptions
  readonly #limits: ProjectorLimits
  readonly #memory: RowMemory
  readonly #projections: readonly AnyProjection[]
  readonly #kept = new Map<string, Kept>()
  readonly #unknownSaid = new Set<string>()
  readonly #feeds: LogFeeds
  /** Aborted when every serving instance has failed. */
  readonly #failed = new AbortController()
  /** The first of a serving instance. */
  #failure: { readonly error: unknown } | undefined
  #away = false
  plan: Plan | undefined

  constructor(options: SuperviseOptions) {
    const { only = [], projections, openLog, logger } = options
    this.#options = options
    this.#limits = { ...defaultProjectorLimits, ...options.limits }
    this.#memory = new RowMemory(this.#limits.cacheBytesMax)
    this.#projections = only.length === 0 ? projections : projections.filter(({ schema }) => only.includes(schema.name))
    const onProgress = (progress: ProjectionProgress): void => this.#observe(progress)
    this.#feeds = new LogFeeds({ openLog, limits: this.#limits, logger, onProgress })
  }

  instances(): readonly RunningInstance[] {
    return [...this.#kept.values()].map(({ keeper }) => keeper.instance)
  }

  async run(): Promise<void> {
    const { signal, finish } = this.#options
    const stop = AbortSignal.any([signal, finish, this.#failed.signal])
    try {
      await this.#adopt()
      await this.#followPlan(stop)
      await this.#stopAll()
      if (finish.aborted && !signal.aborted && !this.#failed.signal.aborted) await this.#finish()
    } finally {
      await this.#stopAll()
    }
    // Whoever stops it in between has read of it in the log.
    if (this.#failure !== undefined && !signal.aborted) throw this.#failure.error
  }

  async #adopt(): Promise<void> {
    const { signal, logger } = this.#options
    const { retryMinMs, retryMaxMs } = this.#limits
    const retry = { signal, logger, progress: () => 0, retryMinMs, retryMaxMs }
    await retryWhileAway(() => this.#readPlan(), { ...retry, alsoWaitFor: ['disk_full'] })
  }

  /** Puts into the plan what it lacks: also later, since a store may come back older, or empty. */
  async #readPlan(): Promise<void> {
    const known: KnownVersion[] = this.#projections.map(({ schema: { name, version }, source }) => ({
      name,
      version,
      source,
    }))
    this.plan = await changePlan(this.#options.control, (plan) => adopt(plan, known, new Date().toISOString()))
  }

  async #followPlan(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      if (this.plan !== undefined) await this.#reconcile(this.plan)
      for (const { keeper } of this.#kept.values()) keeper.look()
      await rest(this.#options.planPollMs ?? 250, stop)
      if (!stop.aborted) await this.#look()
    }
  }

  async #look(): Promise<void> {
    const { logger } = this.#options
    try {
      await this.#readPlan()
      this.#away = false
    } catch (error) {
      if (!this.#away) logger.warn({ err: error }, 'the plan cannot be read, going on with the last one')
      this.#away = true
    }
  }

  /** Stops what the plan does not want any more, then begins what it wants and is not there. */
  async #reconcile(plan: Plan): Promise<void> {
    const wanted = new Map(this.#wanted(plan).map((each) => [keyOf(each.instance), each]))
    for (const [key, kept] of this.#kept) {
      const now = wanted.get(key)
      const isRevived = kept.keeper.instance.state === 'failed' && now?.instance.serving === true && !kept.serving
      if (now === undefined || isRevived) await this.#stop(key, kept)
    }
    for (const [key, { instance, projection }] of wanted)
      if (!this.#kept.has(key)) this.#begin(key, instance, projection)
  }

  #wanted(plan: Plan): { instance: NamedInstance; projection: AnyProjection }[] {
    const names = new Set(this.#projections.map(({ schema }) => schema.name))
    const due = instancesOf(plan).filter(({ name, state, paused }) => names.has(name) && state === 'built' && !paused)
    return due.flatMap((instance) => {
      const { name, version } = instance
      const known = this.#projections.find(({ schema }) => schema.name === name && schema.version === version)
      if (known) return [{ instance, projection: projectionOfInstance(known, instance) }]
      this.#sayUnknown(instance)
      return []
    })
  }

  #sayUnknown({ name, id, version, serving }: NamedInstance): void {
    const key = `${name}@${id} ${serving}`
    if (this.#unknownSaid.has(key)) return
    this.#unknownSaid.add(key)
    const { logger } = this.#options
    const fields = { projection: name, version, instance: id }
    if (serving)
      logger.error(
        fields,
        'the version that serves is unknown to this code and is not kept up to date; deploy code that has it',
      )
    else logger.warn(fields, 'a built version is unknown to this code and is not kept up to date')
  }

  #keeperOf(kept: Pick<InstanceKeeperOptions, 'instance' | 'projection' | 'signal' | 'toEnd'>): InstanceKeeper {
    return new InstanceKeeper({
      ...this.#options,
      limits: this.#limits,
      memory: this.#memory,
      feeds: this.#feeds,
      publishes: () => this.#publishes(kept.instance),
      ...kept,
    })
  }

  #publishes({ name, id, generation }: NamedInstance): boolean {
    return this.plan !== undefined && publishingInstance(this.plan, name, generation)?.id === id
  }

  #begin(key: string, instance: NamedInstance, projection: AnyProjection): void {
    const stop = new AbortController()
    const keeper = this.#keeperOf({ instance, projection, signal: stop.signal })
    const kept: Kept = { keeper, stop, serving: instance.serving, ended: Promise.resolve() }
    this.#kept.set(key, kept)
    kept.ended = this.#watch(kept)
  }

  async #watch({ keeper, stop }: Kept): Promise<void> {
    try {
      await keeper.run()
    } catch (error) {
      this.#judge(error, keeper.instance, stop.signal.aborted)
    }
  }

  #judge(error: unknown, { name, id, version }: RunningInstance, wasLetGo: boolean): void {
    const { logger, signal } = this.#options
    const fields = { err: error, projection: name, version, instance: id }
    // Told to stop, nobody minds that another process has it.
    if (signal.aborted && (isLedgerError(error, 'owner_busy') || isLedgerError(error, 'owner_fenced'))) return
    if (wasLetGo && !signal.aborted) {
      logger.warn(fields, 'the last commit of an instance that is let go failed; it will be folded again')
      return
    }
    if (this.#isKeptBesides(error, name)) {
      logger.info(fields, 'left to the serving process that keeps it up to date')
      return
    }
    const serves = this.plan?.readModels[name]?.serving === id
    if (serves) this.#failure ??= { error }
    logger.error({ ...fields, serving: serves }, 'an instance cannot be kept up to date and is set aside')
    const nothingIsLeft = this.#servingIds().every((each) => this.#isFailed(each))
    if (serves && nothingIsLeft && !this.#options.isOneOfSeveral) this.#failed.abort()
  }

  /** A serving process stands by for what is made from decisions, so whoever only brings all to the end may find it taken. */
  #isKeptBesides(error: unknown, name: string): boolean {
    const isOfDecisions = this.#projections.some(({ schema, source }) => schema.name === name && source === 'decisions')
    return this.#options.finish.aborted && isOfDecisions && isLedgerError(error, 'owner_busy')
  }

  /** What is kept here for requests. */
  #servingIds(): string[] {
    return [...this.#kept].filter(([, { serving }]) => serving).map(([key]) => key)
  }

  #isFailed(key: string): boolean {
    return this.#kept.get(key)?.keeper.instance.state === 'failed'
  }

  #observe(progress: ProjectionProgress): void {
    const { name, version, build } = progress
    for (const { keeper } of this.#kept.values()) {
      const { instance } = keeper
      if (instance.name === name && instance.version === version && instance.build === build) keeper.observe(progress)
    }
    this.#options.onProgress?.(progress)
  }

  async #stop(key: string, { stop, ended, keeper }: Kept): Promise<void> {
    const { name, id } = keeper.instance
    stop.abort()
    await ended
    this.#kept.delete(key)
    const message = isPaused(this.plan, name, id) ? 'paused, until it is resumed' : 'no longer kept up to date here'
    this.#options.logger.info({ projection: name, instance: id }, message)
  }

  async #stopAll(): Promise<void> {
    const all = [...this.#kept.values()]
    for (const { stop } of all) stop.abort()
    await Promise.all(all.map(({ ended }) => ended))
    this.#kept.clear()
  }

  /** Brings what should run to the end of the log. Another owner is not waited for. */
  async #finish(): Promise<void> {
    const { signal } = this.#options
    if (this.plan === undefined) return
    for (const { instance, projection } of this.#wanted(this.plan)) {
      const untilStopped = AbortSignal.any([signal, this.#failed.signal])
      const keeper = this.#keeperOf({ instance, projection, signal: untilStopped, toEnd: true })
      const kept: Kept = { keeper, stop: new AbortController(), serving: instance.serving, ended: Promise.resolve() }
      this.#kept.set(keyOf(instance), kept)
      kept.ended = this.#watch(kept)
    }
    await Promise.all([...this.#kept.values()].map(({ ended }) => ended))
  }
}

function keyOf({ name, id }: NamedInstance): string {
  return `${name}@${id}`
}
