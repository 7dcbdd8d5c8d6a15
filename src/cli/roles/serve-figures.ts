import { Gauge, Registry } from 'prom-client'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'
import type { Load } from '#src/http/load.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { LogHeads } from '#src/runtime/log-heads.ts'
import { createLogMetrics, createProjectionMetrics, type MetricsSnapshot, snapshotOf } from '#src/runtime/metrics.ts'
import type { ServedModels } from '#src/runtime/served-models.ts'
import type { ProjectionState } from '#src/runtime/status.ts'
import type { LedgerReadiness, ReadModelReadiness, ServingWatch } from '#src/runtime/status-readiness.ts'

export interface ServingFiguresOptions {
  readonly models: ServedModels
  readonly heads: LogHeads
  readonly load: Load
}

/** Figures of serving itself, on the page of every process that serves. They stay there while log and store are away. */
export function addServingFigures(registry: Registry, { models, heads, load }: ServingFiguresOptions): void {
  const registers = [registry]
  new Gauge({
    name: 'ledger_log_head_age_seconds',
    help: 'Time since the log last told its newest sequence; absent while it never did',
    registers,
    collect() {
      const { ageSeconds } = heads.known(models.plan?.generation ?? 1)
      if (ageSeconds !== null) this.set(ageSeconds)
    },
  })
  new Gauge({
    name: 'ledger_http_requests_at_once',
    help: 'Requests that are being answered',
    registers,
    collect() {
      this.set(load.atOnce)
    },
  })
  new Gauge({
    name: 'ledger_serving_instance',
    help: '1 for the instance of a read model that answers requests',
    labelNames: ['projection', 'version', 'build'],
    registers,
    collect() {
      this.reset()
      for (const { name, version, build } of models.serving) this.set({ projection: name, version, build }, 1)
    },
  })
}

/** Further behind than this counts as catching up rather than following. */
const followingLagMax = 20_000

/**
 * Figures of import and projections where other processes do that work: what log and store themselves say of the
 * instances that serve. Nothing of what cannot be asked now: a figure of before would look as if all were well.
 */
export async function readStandingFigures(
  watch: ServingWatch,
  models: ServedModels,
  logger: Logger,
): Promise<MetricsSnapshot> {
  const registry = new Registry()
  const readiness = await watch.measure()
  const { observeStatus } = createProjectionMetrics(registry)
  for (const model of readiness.readModels) {
    const status = statusOf(model, readiness)
    if (status === undefined) continue
    try {
      observeStatus({ ...status, parked: await parkedCount(models, model) })
    } catch (error) {
      logger.warn({ err: error, name: model.name }, 'parked events could not be counted')
    }
  }
  if (readiness.headTime !== null)
    createLogMetrics(registry, systemClock.now).observe(parseLedgerTime(readiness.headTime))
  return snapshotOf(registry)
}

function statusOf(model: ReadModelReadiness, { head }: LedgerReadiness) {
  const { name, version, build, position, lagEvents, lagSeconds, stalledSeconds } = model
  if (head === null || position === null || lagEvents === null || lagSeconds === null) return undefined
  const state: ProjectionState = lagEvents > followingLagMax ? 'catching_up' : 'following'
  return { name, version, build, position, head: position + lagEvents, lagSeconds, stalledSeconds, state }
}

async function parkedCount(models: ServedModels, { name, instance }: ReadModelReadiness): Promise<number> {
  const model = models.serving.find((each) => each.name === name && each.id === instance)
  return model === undefined ? 0 : model.use(({ reader }) => reader.parkedCount())
}
