import { instanceId, instancesOf, type NamedInstance, type Plan } from '#src/operations/plan.ts'
import { followingLagMax } from '#src/operations/running-instance.ts'
import {
  type Checkpoint,
  instanceName,
  type ProjectionSchema,
  type ReadStore,
  type RowReader,
} from '#src/ports/read-store.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'
import type { ProjectionProgress } from '#src/runtime/fold/projector-limits.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import { LagMeter } from '#src/runtime/watch/lag-meter.ts'
import type { LogHeads } from '#src/runtime/watch/log-heads.ts'
import type { ProjectionMetrics } from '#src/runtime/watch/metrics.ts'
import type { ProjectionState, ProjectionStatus } from '#src/runtime/watch/status.ts'

/** An instance to be measured, with the schema of its build. */
export interface WatchedInstance extends Pick<NamedInstance, 'generation' | 'state' | 'paused' | 'serving'> {
  readonly schema: ProjectionSchema
}

/** The instances of a plan that this code has the schema of. */
export function watchedInstances(plan: Plan | undefined, projections: readonly AnyProjection[]): WatchedInstance[] {
  if (plan === undefined) return []
  return instancesOf(plan).flatMap((instance) => {
    const { name, version, generation, state, paused, serving } = instance
    const known = projections.find(({ schema }) => schema.name === name && schema.version === version)
    if (known === undefined) return []
    return [{ schema: projectionOfInstance(known, instance).schema, generation, state, paused, serving }]
  })
}

export interface ProjectionWatchOptions {
  readonly heads: LogHeads
  readonly store: ReadStore
  /** Asked at each measurement, so that it follows the plan. */
  readonly instances: () => readonly WatchedInstance[]
  readonly metrics?: ProjectionMetrics
  /** Milliseconds of a clock that only goes forwards. */
  readonly now: () => number
  /** Longest wait for an answer of the store. */
  readonly timeoutMs?: number
}

/** A head that is older than this says nothing of the lag. */
const headAgeMaxSeconds = 10

interface Observed {
  readonly schema: ProjectionSchema
  reader?: RowReader
  checkpoint?: Checkpoint | undefined
  parked: number
}

/**
 * Asks logs and read store where each instance stands: what the projector itself says of its lag may be stale. What does
 * not answer leaves the last that it said in force: a read model whose store is away falls behind the head, as it does.
 */
export class ProjectionWatch {
  readonly #options: ProjectionWatchOptions
  readonly #observed = new Map<string, Observed>()
  readonly #meter: LagMeter
  readonly #startedAtMs: number
  #oldestHeadGeneration: number | undefined
  #problem: string | undefined

  constructor(options: ProjectionWatchOptions) {
    this.#options = options
    this.#meter = new LagMeter(options.now)
    this.#startedAtMs = options.now()
  }

  /** A commit of the projector. */
  observe({ name, version, build, ...committed }: ProjectionProgress): void {
    this.#options.metrics?.observeBatch({ name, version, build }, committed)
  }

  /** Why the last measurement is not whole; undefined when it is. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Since the log whose answer is oldest last told its head; since the beginning where it never did. */
  get headAgeSeconds(): number {
    const generation = this.#oldestHeadGeneration
    const known = generation === undefined ? null : this.#options.heads.known(generation).ageSeconds
    return known ?? (this.#options.now() - this.#startedAtMs) / 1_000
  }

  async measure(): Promise<ProjectionStatus[]> {
    const { heads, instances } = this.#options
    const watched = instances()
    await this.#forgetOthers(watched)
    this.#problem = undefined
    const generations = new Set(watched.map(({ generation }) => generation))
    heads.keepOnly(generations)
    for (const generation of generations) this.#problem = (await heads.ask(generation)).problem ?? this.#problem
    this.#oldestHeadGeneration = oldestOf(generations, heads)
    return Promise.all(watched.map((instance) => this.#measureOne(instance)))
  }

  async close(): Promise<void> {
    await this.#forgetOthers([])
  }

  async #measureOne(instance: WatchedInstance): Promise<ProjectionStatus> {
    const { schema, generation, serving } = instance
    const { name, version, build = 1 } = schema
    const observed = this.#observedOf(schema)
    await this.#look(observed)
    const { head: known, ageSeconds } = this.#options.heads.known(generation)
    const { position = 0, time } = observed.checkpoint ?? {}
    const head = Math.max(known?.sequence ?? 0, position)
    const state = stateOf(instance, observed.checkpoint, head - position)
    const { paused } = instance
    const lag = this.#meter.measure(instanceName(schema), { position, time, head: known, paused })
    const status: ProjectionStatus = {
      name,
      version,
      build,
      id: instanceId({ version, build }),
      generation,
      serving,
      position,
      head,
      lagSeconds: lag.lagSeconds,
      stalledSeconds: lag.stalledSeconds,
      parked: observed.parked,
      state,
      eventsPerSecond: lag.eventsPerSecond ?? 0,
      ...(lag.etaSeconds === null ? {} : { etaSeconds: lag.etaSeconds }),
    }
    this.#options.metrics?.observeStatus(status)
    if (ageSeconds === null || ageSeconds > headAgeMaxSeconds) this.#options.metrics?.forgetLag(status)
    return status
  }

  async #look(observed: Observed): Promise<void> {
    const { store, timeoutMs = 2_000 } = this.#options
    try {
      observed.reader ??= await inTime(store.openReader(observed.schema), timeoutMs, 'The read store')
      observed.checkpoint = await inTime(observed.reader.checkpoint(), timeoutMs, 'The read store')
      if (observed.checkpoint !== undefined)
        observed.parked = await inTime(observed.reader.parkedCount(), timeoutMs, 'The read store')
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
    }
  }

  #observedOf(schema: ProjectionSchema): Observed {
    const name = instanceName(schema)
    const observed = this.#observed.get(name) ?? { schema, parked: 0 }
    this.#observed.set(name, observed)
    return observed
  }

  async #forgetOthers(watched: readonly WatchedInstance[]): Promise<void> {
    const names = new Set(watched.map(({ schema }) => instanceName(schema)))
    this.#meter.keepOnly(names)
    for (const [name, { schema, reader }] of this.#observed) {
      if (names.has(name)) continue
      this.#observed.delete(name)
      this.#options.metrics?.forget(schema)
      await reader?.close()
    }
  }
}

function oldestOf(generations: ReadonlySet<number>, heads: LogHeads): number | undefined {
  const age = (generation: number): number => heads.known(generation).ageSeconds ?? Number.POSITIVE_INFINITY
  return [...generations].sort((a, b) => age(b) - age(a))[0]
}

function stateOf(
  { state, paused }: WatchedInstance,
  checkpoint: Checkpoint | undefined,
  lagEvents: number,
): ProjectionState {
  if (paused) return 'paused'
  if (state === 'building') return 'rebuilding'
  if (checkpoint === undefined) return 'starting'
  return lagEvents > followingLagMax ? 'catching_up' : 'following'
}
