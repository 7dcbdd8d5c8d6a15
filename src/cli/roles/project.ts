import { setTimeout as sleep } from 'node:timers/promises'
import { allProjections } from '#projections/index.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { createProjectionMetrics } from '#src/runtime/metrics.ts'
import type { AnyProjection } from '#src/runtime/projection.ts'
import { runProjections } from '#src/runtime/projector.ts'
import { ProjectionWatch } from '#src/runtime/status-watch.ts'

const watchIntervalMs = 1_000

/** Keeps read models up to date with the log until it is told to stop, or to finish at the end of the log. */
export async function project(context: RoleContext): Promise<void> {
  const { config, folder, logger, registry, report } = context
  const projections = selectProjections(context.only)
  const log = openSqliteLog({ folder: folder.log })
  const store = openSqliteReadStore({ folder: folder.store })
  const metrics = createProjectionMetrics(registry)
  const watch = new ProjectionWatch({ log, store, projections, metrics, now: () => Date.now() })
  const ended = new AbortController()
  const watching = watchLoop(watch, context, ended.signal)
  const run = (follow: boolean, signal: AbortSignal): Promise<void> =>
    runProjections({
      log,
      store,
      projections,
      follow,
      signal,
      logger,
      limits: config.projection,
      onProgress: (progress) => watch.observe(progress),
    })
  try {
    report({ kind: 'ready', role: 'project' })
    if (!context.finish.aborted) await run(true, AbortSignal.any([context.signal, context.finish]))
    if (!context.signal.aborted) await run(false, context.signal)
  } finally {
    ended.abort()
    await watching
    await watch.close()
    await store.close()
    await log.close()
  }
}

/** Measures lag against the log itself, so that a projector that stands still shows. */
async function watchLoop(watch: ProjectionWatch, { report, logger }: RoleContext, signal: AbortSignal): Promise<void> {
  let last = false
  while (!last) {
    await sleep(watchIntervalMs, undefined, { signal }).catch(() => undefined)
    last = signal.aborted
    try {
      report({ kind: 'projections', projections: await watch.measure() })
    } catch (error) {
      logger.warn({ err: error }, 'lag could not be measured')
    }
  }
}

/** The projections with these names; all without names. Throws `config_invalid` for a name that there is not. */
function selectProjections(only: readonly string[] | undefined): readonly AnyProjection[] {
  if (only === undefined || only.length === 0) return allProjections
  const known = allProjections.map(({ schema }) => schema.name)
  const unknown = only.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new LedgerError(
      'config_invalid',
      `There is no projection ${unknown.join(', ')}; there are ${known.join(', ')}`,
      { unknown },
    )
  }
  return allProjections.filter(({ schema }) => only.includes(schema.name))
}
