import { type Deployment, knownVersions, projectionOf } from '#src/cli/verbs/projections/deployment.ts'
import { withScratchStore } from '#src/cli/verbs/projections/scratch.ts'
import { planRebuild, type RebuildWish } from '#src/operations/decide.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { type DryRunResult, dryRunRebuild } from '#src/runtime/replay/rebuild.ts'
import { formatCount, formatDuration, formatRate } from '#src/runtime/watch/status.ts'

/** Folds the first events of the log, as many as say something unless given, into a store that is thrown away, one read model after the other. */
export async function dryRun(
  deployment: Deployment,
  wishes: readonly RebuildWish[],
  events: number | undefined,
): Promise<void> {
  const { verb, control } = deployment
  const plan = await readPlan(control)
  for (const wish of wishes) {
    const { instance } = planRebuild(plan, knownVersions, wish, new Date().toISOString())
    const log = await deployment.log(instance.generation)
    const result = await withScratchStore((scratch) =>
      dryRunRebuild({
        log,
        scratch,
        projection: projectionOf(deployment, instance.name, instance.version),
        events,
        limits: verb.config.projection,
        signal: verb.signal,
        logger: verb.logger,
      }),
    )
    verb.terminal.print(formatDryRun(`${instance.name} v${instance.id}`, result))
  }
  const names = wishes.map(({ name }) => name).join(' ')
  verb.terminal.print(`Nothing was changed; next: ${deployment.next(`projections rebuild ${names}`)}`)
}

function formatDryRun(label: string, result: DryRunResult): string {
  const rows = Object.entries(result.rows).map(([collection, count]) => `${formatCount(count)} ${collection}`)
  return `${label}  ${formatCount(result.events)} events in ${result.seconds.toFixed(1)} s  ${formatRate(result.eventsPerSecond)}/s  ${rows.join(', ')} (${formatMiB(result.bytes)} without indexes); ${formatWhole(result)}`
}

function formatWhole({ events, head, projected }: DryRunResult): string {
  if (events >= head) return 'that is the whole log'
  const whole = `the whole log of ${formatCount(head)}`
  if (projected === undefined) return `too few to tell what ${whole} takes; give more with --events, or leave that out`
  return `${whole} would take some ${formatDuration(projected.seconds)} and ${formatMiB(projected.bytes)}`
}

function formatMiB(bytes: number): string {
  return `${(bytes / (1 << 20)).toFixed(1)} MiB`
}
