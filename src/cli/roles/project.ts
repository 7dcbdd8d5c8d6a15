import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import { configuredProjections } from '#src/cli/configured-projections.ts'
import { type Engines, enginesOf, type Stores } from '#src/cli/engines.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import { keepScrubbing } from '#src/cli/scrubbing.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { rememberFoldCosts } from '#src/operations/fold-costs.ts'
import { announcePresence } from '#src/operations/presence.ts'
import type { RunningInstance } from '#src/operations/running-instance.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { defaultProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import type { OutputOptions } from '#src/runtime/outputs/output-publishers.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import { type Supervision, superviseProjections } from '#src/runtime/replay/supervisor.ts'
import { FoldCostMeter } from '#src/runtime/watch/fold-cost-meter.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'
import { createOutputMetrics, createProjectionMetrics } from '#src/runtime/watch/metrics.ts'
import { ProjectionWatch, watchedInstances } from '#src/runtime/watch/status-watch.ts'

const watchIntervalMs = 1_000
const costsIntervalMs = 60_000

/** Keeps read models up to date with the log, as the plan says, until it is told to stop, or to finish at the end of the log. */
export async function project(context: RoleContext): Promise<void> {
  const projections = selectProjections(configuredProjections(context.config), context.only)
  const stores = await openWhenThere(context)
  if (stores === undefined) return
  try {
    await keepProjections(context, projections, stores)
  } finally {
    await stores.close()
  }
}

async function keepProjections(
  context: RoleContext,
  projections: readonly AnyProjection[],
  { readStore: store, controlStore: control }: Stores,
): Promise<void> {
  const { config, folder, logger, registry, report, signal, finish, isOneOfSeveral = false } = context
  const engines = enginesOf(config, folder, logger)
  const openLog = seenLogs(engines, () => control)
  const now = (): number => performance.now()
  const heads = new LogHeads({ openLog, now })
  const costs = new FoldCostMeter()
  const metrics = createProjectionMetrics(registry, { headAgeSeconds: () => watch.headAgeSeconds })
  const supervision = superviseProjections({
    control,
    store,
    openLog,
    projections,
    signal,
    finish,
    logger,
    limits: config.projection,
    isOneOfSeveral,
    onProgress: (progress) => {
      watch.observe(progress)
      costs.observe(progress)
    },
    ...(config.output.publish && { outputs: outputsOf(context, engines) }),
    reportProgress: async (instance, position, log) => log.reportProgress?.(lagGroupOf(config, instance), position),
  })
  const instances = () => watchedInstances(supervision.plan(), projections)
  const watch: ProjectionWatch = new ProjectionWatch({ heads, store, instances, metrics, now })
  const ended = new AbortController()
  const presence = announcePresence({
    control,
    role: 'project',
    codeVersion,
    host: hostname(),
    pid: process.pid,
    figures: () => ({ runs: runsOf(supervision, heads), knows: versionsOf(projections) }),
    signal: ended.signal,
    logger,
  })
  const watching = watchLoop(watch, context, ended.signal)
  const schemas = projections.map(({ schema }) => schema)
  const scrubbing = keepScrubbing({ config, folder, control, supervision, schemas, logger, signal: ended.signal })
  const remembering = rememberCosts(costs, control, logger, ended.signal)
  try {
    report({ kind: 'ready', role: 'project' })
    await supervision.ended
  } finally {
    ended.abort()
    await watching
    await remembering
    await scrubbing
    await presence.ended
    await watch.close()
    await heads.close()
  }
}

/** Now and then and at the end, so that the next start knows how to spread the read models over lanes. */
async function rememberCosts(
  meter: FoldCostMeter,
  control: ControlStore,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  let last = false
  while (!last) {
    await rest(costsIntervalMs, signal)
    last = signal.aborted
    await rememberFoldCosts(control, meter.costs).catch((error: unknown) =>
      logger.debug({ err: error }, 'costs of folds not remembered'),
    )
  }
}

/** The stores, waited for while they are away; undefined when it is told to stop first. */
async function openWhenThere({ config, folder, logger, signal }: RoleContext): Promise<Stores | undefined> {
  const { retryMinMs, retryMaxMs } = defaultProjectorLimits
  let stores: Stores | undefined
  const open = async (): Promise<void> => {
    stores = await enginesOf(config, folder, logger).openStores()
  }
  const retry = { signal, logger, progress: () => 0, retryMinMs, retryMaxMs }
  await retryWhileAway(open, { ...retry, alsoWaitFor: ['disk_full'] })
  return stores
}

function outputsOf({ config, registry }: RoleContext, engines: Engines): OutputOptions {
  return {
    open: (topic, generation) => engines.openLog(generation, 'write', topic),
    ...(engines.removeOutput && { remove: engines.removeOutput }),
    batchEventsMax: config.output.batchEventsMax,
    onProgress: createOutputMetrics(registry),
  }
}

/** The consumer group under which an instance shows in the lag tools of Kafka; several deployments may share a cluster. */
function lagGroupOf({ kafka }: Config, { name, id }: RunningInstance): string {
  return `${kafka.topicPrefix}.${name}@${id}`
}

/** What runs here, with the heads that the logs themselves have told. */
function runsOf(supervision: Supervision, heads: LogHeads): RunningInstance[] {
  return supervision.instances().map((instance) => {
    const known = heads.known(instance.generation).head?.sequence ?? 0
    return { ...instance, head: Math.max(instance.head, known) }
  })
}

function versionsOf(projections: readonly AnyProjection[]): Record<string, number[]> {
  const byName = Object.groupBy(projections, ({ schema }) => schema.name)
  return Object.fromEntries(
    Object.entries(byName).map(([name, versions = []]) => [name, versions.map(({ schema }) => schema.version)]),
  )
}

/** Measures lag against the log itself, so that a projector that stands still shows. */
async function watchLoop(watch: ProjectionWatch, { report, logger }: RoleContext, signal: AbortSignal): Promise<void> {
  const sayOnce = sayProblems(logger)
  let last = false
  while (!last) {
    await rest(watchIntervalMs, signal)
    last = signal.aborted
    try {
      report({ kind: 'projections', projections: await watch.measure() })
      sayOnce(watch.problem)
    } catch (error) {
      logger.warn({ err: error }, 'lag could not be measured')
    }
  }
}

/** Warns once per problem, not once a second. */
function sayProblems(logger: Logger): (problem: string | undefined) => void {
  let said: string | undefined
  return (problem) => {
    if (problem !== undefined && problem !== said) logger.warn({ reason: problem }, 'lag cannot be measured wholly')
    said = problem
  }
}

/** The projections with these names; all without names. Throws `config_invalid` for a name that there is not. */
function selectProjections(
  all: readonly AnyProjection[],
  only: readonly string[] | undefined,
): readonly AnyProjection[] {
  if (only === undefined || only.length === 0) return all
  const known = new Set(all.map(({ schema }) => schema.name))
  const unknown = only.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new LedgerError(
      'config_invalid',
      `There is no projection ${unknown.join(', ')}; there are ${[...known].join(', ')}`,
      { unknown },
    )
  }
  return all.filter(({ schema }) => only.includes(schema.name))
}
