import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { AggregatorRegistry, Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { instanceName } from '#src/ports/read-store.ts'
import type { ProjectionProgress } from '#src/runtime/fold/projector-limits.ts'
import { type ProjectionId, type ProjectionStatus, projectionStates } from '#src/runtime/watch/status.ts'

const projectionLabels = ['projection', 'version', 'build'] as const
type ProjectionLabel = (typeof projectionLabels)[number]

export interface ProjectionMetrics {
  observeStatus(status: ProjectionStatus): void
  observeBatch(id: ProjectionId, batch: Pick<ProjectionProgress, 'events' | 'seconds' | 'loadsInTurn'>): void
  /** The head is not known: a lag of before would look as if all were well. */
  forgetLag(id: ProjectionId): void
  /** The instance is gone. */
  forget(id: ProjectionId): void
}

export interface ProjectionMetricsOptions {
  /** Seconds since the log last told its head, asked when the page is read, so that it grows when nobody asks the log. */
  readonly headAgeSeconds?: () => number
}

/** What an operator watches of the projections. See docs/reference/metrics.md. */
export function createProjectionMetrics(
  registry: Registry,
  { headAgeSeconds }: ProjectionMetricsOptions = {},
): ProjectionMetrics {
  const gauges = createProjectionGauges(registry)
  const events = projectionCounter(registry, 'events_total', 'Events folded and committed by this process')
  const waits = projectionCounter(
    registry,
    'loads_in_turn_total',
    'Times that an event waited for rows of the store that were not found ahead of its batch; none where the store reads a row at once',
  )
  const parked = projectionCounter(
    registry,
    'parked_events_total',
    'Events that could not be folded and were set aside',
  )
  const parkedBefore = new Map<string, number>()
  const batch = new Histogram({
    name: 'ledger_projection_batch_duration_seconds',
    help: 'Time that the store took to commit a batch',
    labelNames: projectionLabels,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  if (headAgeSeconds) createHeadAge(registry, headAgeSeconds)
  return {
    observeStatus(status) {
      setGauges(gauges, status)
      const key = instanceName(status)
      parked.inc(labelsOf(status), Math.max(0, status.parked - (parkedBefore.get(key) ?? 0)))
      parkedBefore.set(key, status.parked)
    },
    observeBatch(id, { events: count, seconds, loadsInTurn }) {
      events.inc(labelsOf(id), count)
      waits.inc(labelsOf(id), loadsInTurn)
      batch.observe(labelsOf(id), seconds)
    },
    forgetLag(id) {
      for (const gauge of [gauges.head, gauges.lagEvents, gauges.lagSeconds]) gauge.remove(labelsOf(id))
    },
    forget(id) {
      const { state, ...others } = gauges
      for (const gauge of Object.values(others)) gauge.remove(labelsOf(id))
      for (const name of projectionStates) state.remove({ ...labelsOf(id), state: name })
    },
  }
}

type ProjectionGauges = ReturnType<typeof createProjectionGauges>

function createProjectionGauges(registry: Registry) {
  const gauge = (name: string, help: string): Gauge<ProjectionLabel> =>
    new Gauge({ name: `ledger_projection_${name}`, help, labelNames: projectionLabels, registers: [registry] })
  return {
    position: gauge('position', 'Sequence up to which rows are durable'),
    head: gauge('head_position', 'Newest sequence of the log'),
    lagEvents: gauge('lag_events', 'Events between the head of the log and the position'),
    lagSeconds: gauge('lag_seconds', 'Ledger time between the head of the log and the position'),
    stalled: gauge('stalled_seconds', 'Time since the position last moved while behind; 0 at the head'),
    rebuildRatio: gauge('rebuild_ratio', 'Part of the log that a rebuild has folded; absent for what is built'),
    rebuildEta: gauge('rebuild_eta_seconds', 'Time that a rebuild still takes; absent while it stands still'),
    state: new Gauge({
      name: 'ledger_projection_state',
      help: '1 for the state that the projection is in, else 0',
      labelNames: [...projectionLabels, 'state'],
      registers: [registry],
    }),
  }
}

function setGauges(gauges: ProjectionGauges, status: ProjectionStatus): void {
  const labels = labelsOf(status)
  const { position, head, etaSeconds } = status
  gauges.position.set(labels, position)
  gauges.head.set(labels, head)
  gauges.lagEvents.set(labels, head - position)
  // Of nothing yet there is no time to be behind.
  if (status.lagSeconds === null) gauges.lagSeconds.remove(labels)
  else gauges.lagSeconds.set(labels, status.lagSeconds)
  gauges.stalled.set(labels, status.stalledSeconds)
  for (const name of projectionStates) gauges.state.set({ ...labels, state: name }, name === status.state ? 1 : 0)
  const isRebuilding = status.state === 'rebuilding'
  if (isRebuilding) gauges.rebuildRatio.set(labels, head === 0 ? 0 : position / head)
  else gauges.rebuildRatio.remove(labels)
  if (isRebuilding && etaSeconds !== undefined) gauges.rebuildEta.set(labels, etaSeconds)
  else gauges.rebuildEta.remove(labels)
}

function createHeadAge(registry: Registry, headAgeSeconds: () => number): void {
  new Gauge({
    name: 'ledger_projection_head_age_seconds',
    help: 'Time since the log last told its newest sequence to the process that keeps the projections',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(headAgeSeconds())
    },
  })
}

function projectionCounter(registry: Registry, name: string, help: string): Counter<ProjectionLabel> {
  return new Counter({ name: `ledger_projection_${name}`, help, labelNames: projectionLabels, registers: [registry] })
}

function labelsOf({ name, version, build = 1 }: ProjectionId): Record<ProjectionLabel, string> {
  return { projection: name, version: String(version), build: String(build) }
}

export interface OutputFigures {
  readonly topic: string
  readonly events: number
  readonly lagSeconds: number
}

/** What read models publish for subscribers. */
export function createOutputMetrics(registry: Registry): (figures: OutputFigures) => void {
  const registers = [registry]
  const events = new Counter({
    name: 'ledger_output_events_total',
    help: 'Events that this process has published: of its read models, and as copies of the log',
    labelNames: ['topic'],
    registers,
  })
  const lag = new Gauge({
    name: 'ledger_output_lag_seconds',
    help: 'Ledger time between the newest block in the read model, or in the log that is copied, and the newest that is published',
    labelNames: ['topic'],
    registers,
  })
  return ({ topic, events: count, lagSeconds }) => {
    events.inc({ topic }, count)
    lag.set({ topic }, lagSeconds)
  }
}

/** What this process has imported so far. */
export interface ImportedSoFar {
  readonly latestBlock: bigint | undefined
  /** Consensus time (ns) of the newest transaction. */
  readonly latestTime: bigint | undefined
  readonly blocks: number
  readonly transactions: number
  readonly gapBlocks: bigint
}

export interface LogMetrics {
  /** Consensus time (ns) of the newest event on the log; undefined while it is empty. */
  observe(time: bigint | undefined): void
}

/** What can be told of the import from the log alone, also where the importer is another process. */
export function createLogMetrics(registry: Registry, now: () => number): LogMetrics {
  const registers = [registry]
  let newestSeconds: number | undefined
  new Gauge({
    name: 'ledger_import_latest_consensus_seconds',
    help: 'Consensus time of the newest transaction on the log, seconds since the epoch',
    registers,
    collect() {
      // Absent, since 0 would be 1970.
      if (newestSeconds === undefined) this.remove()
      else this.set(newestSeconds)
    },
  })
  new Gauge({
    name: 'ledger_import_lag_seconds',
    help: 'Time since the newest transaction on the log reached consensus',
    registers,
    collect() {
      if (newestSeconds === undefined) this.remove()
      else this.set(Math.max(0, now() / 1_000 - newestSeconds))
    },
  })
  return {
    observe(time) {
      // 0 where the log opens, before the first block.
      if (time) newestSeconds = Number(time / 1_000_000n) / 1_000
    },
  }
}

export interface BlockMetrics {
  observe(figures: Pick<ImportedSoFar, 'latestBlock' | 'gapBlocks'>): void
}

/** What an importer knows of the blocks on the log, also where it is another process. */
export function createBlockMetrics(registry: Registry): BlockMetrics {
  const registers = [registry]
  const latest = new Gauge({
    name: 'ledger_import_latest_block',
    help: 'Number of the newest block on the log',
    registers,
  })
  const gap = new Gauge({
    name: 'ledger_import_gap_blocks',
    help: 'Blocks known to be missing within the log',
    registers,
  })
  return {
    observe({ latestBlock, gapBlocks }) {
      if (latestBlock !== undefined) latest.set(Number(latestBlock))
      gap.set(Number(gapBlocks))
    },
  }
}

export interface ImportMetrics {
  observe(figures: ImportedSoFar): void
}

export function createImportMetrics(registry: Registry, now: () => number): ImportMetrics {
  const registers = [registry]
  const known = createBlockMetrics(registry)
  const newest = createLogMetrics(registry, now)
  const blocks = new Counter({
    name: 'ledger_import_blocks_total',
    help: 'Blocks published by this process',
    registers,
  })
  const transactions = new Counter({
    name: 'ledger_import_transactions_total',
    help: 'Transactions published by this process',
    registers,
  })
  let before = { blocks: 0, transactions: 0 }
  return {
    observe(figures) {
      known.observe(figures)
      newest.observe(figures.latestTime)
      blocks.inc(figures.blocks - before.blocks)
      transactions.inc(figures.transactions - before.transactions)
      before = figures
    },
  }
}

/** A registry's content in a form that another thread can take over. */
export type MetricsSnapshot = readonly object[]

export async function snapshotOf(registry: Registry): Promise<MetricsSnapshot> {
  return registry.getMetricsAsJSON()
}

/** The Prometheus page of several threads' registries; series that occur in several are added up unless their metric says otherwise. */
export async function formatMetrics(snapshots: Iterable<MetricsSnapshot>): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics()
}

/** Memory and responsiveness of one thread; process-wide figures come from `collectDefaultMetrics` of one thread only. */
export function createThreadMetrics(registry: Registry, thread: string): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  new Gauge({
    name: 'ledger_thread_event_loop_delay_seconds',
    help: 'Greatest delay of the event loop of a thread since the last reading',
    labelNames: ['thread'],
    registers: [registry],
    collect() {
      this.set({ thread }, delay.max / 1e9)
      delay.reset()
    },
  })
  new Gauge({
    name: 'ledger_thread_heap_bytes',
    help: 'JavaScript heap in use by a thread',
    labelNames: ['thread'],
    registers: [registry],
    collect() {
      this.set({ thread }, getHeapStatistics().used_heap_size)
    },
  })
}
