import { defaultComponentId } from '#commands/status/default-page.ts'
import { HealthWatch } from '#commands/status/health/health-watch.ts'
import { openingLevel } from '#commands/status/health/incidents.ts'
import type { StatusService } from '#commands/status/status-service.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import type { ImportedStream } from '#src/cli/roles/serve-processes.ts'
import type { Config } from '#src/config/schema.ts'
import { healthMetricNames, healthMetrics, ruleOf, type WatchedPart } from '#src/domain/status/health-metrics.ts'
import type { LiveHealth, Measurement, WatchedComponent } from '#src/domain/status/live-health.ts'
import { LiveImports } from '#src/operations/live-imports.ts'
import { decisionsGeneration } from '#src/operations/plan.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import type { LedgerReadiness, ReadModelReadiness } from '#src/runtime/serve/status-readiness.ts'
import type { RequestWatch } from '#src/runtime/watch/request-shares.ts'

const nanosPerMs = 1_000_000n
const storeTimeoutMs = 5_000
/** A head that is older than this says nothing of a lag. */
const headAgeMaxSeconds = 10
/** What explains trouble of a part. */
const dependsOn: Readonly<Record<WatchedPart, readonly WatchedPart[]>> = {
  import: [],
  projections: ['import'],
  api: ['import', 'projections'],
  page: [],
}

export interface HealthSources {
  readonly deployment: ServingDeployment
  readonly decisions: DecisionStore
  readonly service: StatusService
  readonly requests: RequestWatch
}

type Figures = Map<string, Measurement>

/** The parts of this deployment as a serving process sees them, judged by the configured rules. */
export class ServedHealth {
  readonly #sources: HealthSources
  readonly #watch: HealthWatch
  readonly #stalled = new StalledSince()
  readonly #imports: LiveImports
  #completeUntil: bigint | undefined
  #leftOut: readonly string[] = []

  constructor({ config, logger }: Pick<RoleContext, 'config' | 'logger'>, sources: HealthSources) {
    this.#sources = sources
    const control = () => sources.deployment.stores?.controlStore
    this.#imports = new LiveImports({ control, now: () => performance.now() })
    const { stableSeconds, coolDownSeconds, publishAfterSeconds } = config.status
    this.#watch = new HealthWatch({
      service: sources.service,
      clock: systemClock,
      logger,
      components: watchedComponents(config),
      policy: { openAt: openingLevel, stableSeconds, coolDownSeconds, publishAfterSeconds },
      measure: () => this.#measure(),
      leads: () => sources.deployment.leads,
    })
  }

  get live(): LiveHealth {
    return { components: this.#watch.live, completeUntil: this.#completeUntil, leftOut: this.#leftOut }
  }

  follow(signal: AbortSignal): Promise<void> {
    return this.#watch.follow(signal)
  }

  async #measure(): Promise<ReadonlyMap<string, Measurement>> {
    const { deployment, requests } = this.#sources
    const [readiness, storeSeconds] = await Promise.all([deployment.watch.measure(), this.#askStore()])
    const at = systemClock.now()
    const figures: Figures = new Map()
    const put = (metric: string, value: number | undefined, position?: number | null): void => {
      if (value !== undefined) figures.set(metric, { at, value, position: position ?? undefined })
    }
    await this.#putImport(put, readiness, at)
    this.#putProjections(put, readiness)
    this.#leftOut = readiness.leftOut
    const { failed, slow } = requests.shares
    // Where no read model can be read, every request fails, also those that nobody sends.
    put('http_error_ratio', readiness.readModels.some(({ position }) => position !== null) ? failed : 1)
    put('http_slow_ratio', slow)
    put('decisions_seconds', storeSeconds)
    return figures
  }

  async #putImport(put: PutFigure, { generation, headAgeSeconds }: LedgerReadiness, at: number): Promise<void> {
    const { heads, processes } = this.#sources.deployment
    const { head } = heads.known(generation)
    if (headAgeSeconds === null || headAgeSeconds > headAgeMaxSeconds) return
    if (head?.time)
      put('importer_lag_seconds', await this.#importLag(generation, head.time, head.sequence, at), head.sequence)
    if (processes.living === undefined) return
    put('source_quiet_seconds', quietSeconds(processes.streams(generation), at), head?.sequence)
    put('import_failures', processes.importErrors(generation).length, head?.sequence)
  }

  /** Of an archive that is imported, nothing is late. undefined while it cannot be told. */
  async #importLag(generation: number, time: bigint, sequence: number, at: number): Promise<number | undefined> {
    const ageSeconds = Math.max(0, (at - Number(time / nanosPerMs)) / 1_000)
    try {
      return (await this.#imports.isArchive(generation, sequence, ageSeconds)) ? 0 : ageSeconds
    } catch {
      // Nobody can tell now: what is not known to be an archive has to be recent, and why the store is away is told elsewhere.
      return ageSeconds
    }
  }

  #putProjections(put: PutFigure, { readModels, generation }: LedgerReadiness): void {
    const ofLedger = readModels.filter((model) => model.generation !== decisionsGeneration && !model.filling)
    const furthest = furthestBehind(ofLedger)
    if (furthest?.lagSeconds != null) put('projection_lag_seconds', furthest.lagSeconds, furthest.position)
    const stalled = this.#stalled.longest(ofLedger, performance.now())
    if (stalled !== undefined) put('projection_stalled_seconds', stalled, furthest?.position)
    const { head } = this.#sources.deployment.heads.known(generation)
    const lagMs = furthest?.lagSeconds == null ? undefined : BigInt(Math.ceil(furthest.lagSeconds * 1_000))
    this.#completeUntil = lagMs === undefined || !head?.time ? undefined : head.time - lagMs * nanosPerMs
  }

  /** Seconds until the decision store has answered; undefined where it does not. */
  async #askStore(): Promise<number | undefined> {
    const began = performance.now()
    try {
      await inTime(this.#sources.decisions.newest(), storeTimeoutMs, 'The decision store')
      return (performance.now() - began) / 1_000
    } catch {
      // What is not measured is what the rule is told; who writes to the page is told the reason.
      return undefined
    }
  }
}

type PutFigure = (metric: string, value: number | undefined, position?: number | null) => void

function watchedComponents({ status }: Config): WatchedComponent[] {
  const { levels, holdSeconds, recoverSeconds, silenceSeconds } = status
  return status.watch.map((part) => ({
    id: defaultComponentId(part),
    dependsOn: dependsOn[part].map(defaultComponentId),
    rules: healthMetricNames
      .filter((metric) => healthMetrics[metric].part === part)
      .map((metric) => {
        const own = levels.find((each) => each.metric === metric)
        const times = { holdSeconds, recoverSeconds, silenceSeconds }
        return ruleOf(metric, own?.thresholds ?? healthMetrics[metric].thresholds, times)
      }),
  }))
}

/** Of the importer that waits for longest. */
function quietSeconds(streams: readonly ImportedStream[], at: number): number {
  const waits = streams.map(({ quietSince }) => (quietSince === undefined ? 0 : (at - Date.parse(quietSince)) / 1_000))
  return Math.max(0, ...waits)
}

/** Undefined where it is not known of one of them how far behind it is, or there is none. */
function furthestBehind(models: readonly ReadModelReadiness[]): ReadModelReadiness | undefined {
  if (models.some(({ lagSeconds }) => lagSeconds === null)) return undefined
  return [...models].sort((one, other) => (other.lagSeconds ?? 0) - (one.lagSeconds ?? 0))[0]
}

/** Since when each read model stands still although it is behind: whoever stopped it, and for whatever reason. */
class StalledSince {
  readonly #seen = new Map<string, { position: number; atMs: number }>()

  /** Seconds; undefined where none can be told. */
  longest(models: readonly ReadModelReadiness[], nowMs: number): number | undefined {
    const seconds = models.flatMap(({ name, instance, position, lagEvents }) => {
      if (position === null || lagEvents === null) return []
      const key = `${name}@${instance}`
      const before = this.#seen.get(key)
      const isStill = before?.position === position && lagEvents > 0
      const seen = isStill ? before : { position, atMs: nowMs }
      this.#seen.set(key, seen)
      return [(nowMs - seen.atMs) / 1_000]
    })
    return seconds.length === 0 ? undefined : Math.max(...seconds)
  }
}
