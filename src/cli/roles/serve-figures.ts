import { Counter, Gauge, Registry } from 'prom-client'
import type { CacheUse } from '#src/adapters/sqlite/reader-caches.ts'
import { gitId, releaseVersion } from '#src/cli/code-version.ts'
import type { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'
import type { ContractCalls } from '#src/evm/contract-calls.ts'
import type { AnswerCache } from '#src/http/answer-cache.ts'
import type { Capacity } from '#src/http/capacity.ts'
import type { Load } from '#src/http/load.ts'
import type { Waits } from '#src/http/waits.ts'
import { readPresence } from '#src/operations/presence.ts'
import { followingLagMax } from '#src/operations/running-instance.ts'
import type { ScrubRecord } from '#src/operations/scrubs.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import type { ScrubWatch } from '#src/runtime/serve/scrub-watch.ts'
import type { ServedModels } from '#src/runtime/serve/served-models.ts'
import type { LedgerReadiness, ReadModelReadiness } from '#src/runtime/serve/status-readiness.ts'
import type { LogHeads } from '#src/runtime/watch/log-heads.ts'
import {
  createBlockMetrics,
  createLogMetrics,
  createProjectionMetrics,
  type MetricsSnapshot,
  snapshotOf,
} from '#src/runtime/watch/metrics.ts'
import type { ProjectionState } from '#src/runtime/watch/status.ts'
import { createStreamMetrics } from '#src/runtime/watch/stream-metrics.ts'

export interface ServingFiguresOptions {
  readonly models: ServedModels
  readonly scrubs: ScrubWatch
  readonly heads: LogHeads
  readonly load: Load
  readonly waits: Waits
  readonly capacity: Capacity
  readonly cache: AnswerCache
  /** undefined while the stores are not open, or where their engine keeps its pages itself. */
  readonly readersCache: () => CacheUse | undefined
  readonly calls: ContractCalls
}

/** Figures of serving itself, on the page of every process that serves. They stay there while log and store are away. */
export function addServingFigures(
  registry: Registry,
  { models, scrubs, heads, load, waits, capacity, cache, readersCache, calls }: ServingFiguresOptions,
): void {
  const registers = [registry]
  new Gauge({
    name: 'ledger_build_info',
    help: 'Always 1; the labels say which release this process runs',
    labelNames: ['version', 'git'],
    registers,
    aggregator: 'first',
  }).set({ version: releaseVersion, git: gitId ?? '' }, 1)
  addMemoryFigures(registry, {
    answers: () => ({ bytes: cache.bytes, bytesMax: cache.bytesMax }),
    readers: readersCache,
  })
  new Gauge({
    name: 'ledger_log_head_age_seconds',
    help: 'Time since the log last told its newest sequence; absent while it never did',
    registers,
    aggregator: 'max',
    collect() {
      const { ageSeconds } = heads.known(models.plan?.generation ?? 1)
      if (ageSeconds !== null) this.set(ageSeconds)
    },
  })
  new Gauge({
    name: 'ledger_http_requests_at_once',
    help: 'Requests that are being answered',
    registers,
    // Every thread has counted those of all.
    aggregator: 'first',
    collect() {
      this.set(load.atOnce)
    },
  })
  addWaitFigures(registry, waits)
  addCapacityFigures(registry, capacity)
  addCallFigures(registry, calls)
  addScrubFigures(registry, models, scrubs)
  new Gauge({
    name: 'ledger_serving_instance',
    help: '1 for the instance of a read model that answers requests',
    labelNames: ['projection', 'version', 'build'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { name, version, build } of models.serving) this.set({ projection: name, version, build }, 1)
    },
  })
}

/** How busy the threads are that run contracts. */
function addCallFigures(registry: Registry, { threads, facts }: ContractCalls): void {
  const registers = [registry]
  new Gauge({
    name: 'ledger_contract_calls_running',
    help: 'Contract calls, estimates and traces that run',
    registers,
    collect() {
      this.set(threads.running)
    },
  })
  new Gauge({
    name: 'ledger_contract_calls_waiting',
    help: 'Contract calls that wait for a thread',
    registers,
    collect() {
      this.set(threads.waiting)
    },
  })
  new Gauge({
    name: 'ledger_contract_calls_facts',
    help: 'Facts of the ledger that are kept for calls',
    registers,
    collect() {
      this.set(facts.size)
    },
  })
  new Counter({
    name: 'ledger_contract_calls_total',
    help: 'Contract calls, estimates and traces, by how they ended',
    labelNames: ['end'],
    registers,
    collect() {
      this.reset()
      for (const [end, count] of Object.entries(threads.ended)) this.inc({ end }, count)
    },
  })
}

/** When the rows that answer were last read as a whole, and what that came to; absent before the first time. */
function addScrubFigures(registry: Registry, models: ServedModels, scrubs: ScrubWatch): void {
  const figures = [
    {
      name: 'ledger_projection_scrub_end_seconds',
      help: 'When a scrub has last read all rows of the serving instance, seconds since the epoch',
      read: ({ endedAt }: ScrubRecord) => Date.parse(endedAt) / 1_000,
    },
    {
      name: 'ledger_projection_scrub_duration_seconds',
      help: 'How long that took, with its rests',
      read: ({ beganAt, endedAt }: ScrubRecord) => (Date.parse(endedAt) - Date.parse(beganAt)) / 1_000,
    },
    {
      name: 'ledger_projection_scrub_damaged',
      help: '1 where it has found rows or indexes that are not as they were written, else 0',
      read: ({ damage }: ScrubRecord) => (damage === undefined ? 0 : 1),
    },
  ]
  for (const { name, help, read } of figures) {
    new Gauge({
      name,
      help,
      labelNames: ['projection', 'version', 'build'],
      registers: [registry],
      aggregator: 'max',
      collect() {
        this.reset()
        for (const model of models.serving) {
          const { version, build } = model
          const record = scrubs.of(model)
          if (record !== undefined) this.set({ projection: model.name, version, build }, read(record))
        }
      },
    })
  }
}

/** How many requests wait for a time, and who had to go. */
function addWaitFigures(registry: Registry, waits: Waits): void {
  const registers = [registry]
  new Gauge({
    name: 'ledger_http_waits_at_once',
    help: 'Requests that wait for the consensus time that they name',
    registers,
    // Every thread has counted those of all.
    aggregator: 'first',
    collect() {
      this.set(waits.atOnce)
    },
  })
  new Counter({
    name: 'ledger_http_waits_refused_total',
    help: 'Requests that were refused because too many waited already',
    labelNames: ['bound'],
    registers,
    collect() {
      this.reset()
      for (const [bound, count] of Object.entries(waits.refused)) this.inc({ bound }, count)
    },
  })
}

/** How close the process is to what it can do at once. */
function addCapacityFigures(registry: Registry, { turns, large, searches }: Capacity): void {
  const registers = [registry]
  const figures = [
    { name: 'ledger_http_searches_at_once', help: 'Long searches that run', read: () => searches.atOnce },
    { name: 'ledger_http_searches_waiting', help: 'Long searches that wait for others', read: () => searches.waiting },
    {
      name: 'ledger_http_large_pages_at_once',
      help: 'Requests that read more rows than most',
      read: () => large.atOnce,
    },
    {
      name: 'ledger_http_turns_waiting',
      help: 'Steps of requests that wait for the thread',
      read: () => turns.waiting,
    },
  ]
  for (const { name, help, read } of figures) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  new Counter({
    name: 'ledger_http_searches_refused_total',
    help: 'Long searches that were refused because too many waited',
    registers,
    collect() {
      this.reset()
      this.inc(searches.refused)
    },
  })
}

/** How close the caches of this process are to their budgets. */
function addMemoryFigures(registry: Registry, uses: Readonly<Record<string, () => CacheUse | undefined>>): void {
  const figures = [
    { name: 'ledger_cache_bytes', help: 'Memory that a cache takes, at most', read: ({ bytes }: CacheUse) => bytes },
    { name: 'ledger_cache_bytes_max', help: 'Budget of a cache', read: ({ bytesMax }: CacheUse) => bytesMax },
  ]
  for (const { name, help, read } of figures) {
    new Gauge({
      name,
      help,
      labelNames: ['cache'],
      registers: [registry],
      collect() {
        for (const [cache, use] of Object.entries(uses)) {
          const now = use()
          if (now !== undefined) this.set({ cache }, read(now))
        }
      },
    })
  }
}

/** What a query process asks for the figures that others do not send it. */
export type StandingFiguresSource = Pick<ServingDeployment, 'watch' | 'models' | 'others' | 'stores'>

const presenceTimeoutMs = 2_000

/**
 * Figures of import and projections where other processes do that work: what log and store themselves say of all
 * instances, and the importer of its blocks. Nothing of what cannot be asked now: a figure of before would look as if all were well.
 */
export async function readStandingFigures(
  { watch, models, others, stores }: StandingFiguresSource,
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
      logger.warn({ err: error, projection: model.name }, 'parked events could not be counted')
    }
  }
  if (readiness.headTime !== null)
    createLogMetrics(registry, systemClock.now).observe(parseLedgerTime(readiness.headTime))
  for (const status of others.statuses) observeStatus(status)
  if (stores !== undefined) await observeImporter(registry, stores.controlStore, readiness.generation, logger)
  return snapshotOf(registry)
}

/** Blocks and the stream that they come from, as the importer that is at work says with its signs of life; nothing where none is. */
async function observeImporter(
  registry: Registry,
  control: ControlStore,
  generation: number,
  logger: Logger,
): Promise<void> {
  try {
    const processes = await inTime(readPresence(control, systemClock.now()), presenceTimeoutMs, 'The control store')
    const importer = processes.find(
      ({ alive, imports }) => alive && imports?.generation === generation && !imports.standby,
    )
    createStreamMetrics(registry, { read: () => importer?.imports, now: systemClock.now })
    const { latestBlock, gapBlocks } = importer?.imports ?? {}
    if (!latestBlock || gapBlocks === undefined) return
    createBlockMetrics(registry).observe({ latestBlock: BigInt(latestBlock), gapBlocks: BigInt(gapBlocks) })
  } catch (error) {
    logger.warn({ reason: (error as Error).message }, 'importers could not be asked for')
  }
}

function statusOf(model: ReadModelReadiness, { head }: LedgerReadiness) {
  const { name, version, build, paused, position, lagEvents, lagSeconds, stalledSeconds } = model
  if (head === null || position === null || lagEvents === null) return undefined
  const moving: ProjectionState = lagEvents > followingLagMax ? 'catching_up' : 'following'
  const state: ProjectionState = paused ? 'paused' : moving
  return { name, version, build, position, head: position + lagEvents, lagSeconds, stalledSeconds, state }
}

async function parkedCount(models: ServedModels, { name, instance }: ReadModelReadiness): Promise<number> {
  const model = models.serving.find((each) => each.name === name && each.id === instance)
  return model === undefined ? 0 : model.use(() => model.reader.parkedCount())
}
