import { Registry } from 'prom-client'
import { allProjections } from '#projections/index.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { createLogMetrics, createProjectionMetrics, type MetricsSnapshot, snapshotOf } from '#src/runtime/metrics.ts'
import { ProjectionWatch } from '#src/runtime/status-watch.ts'

export interface StandingFigures {
  /** Where log and read models stand now; nothing while they cannot be asked. */
  read(): Promise<MetricsSnapshot>
  close(): Promise<void>
}

/**
 * Figures of import and projections where other processes do that work: what log and store themselves say. What only
 * those processes know, such as their counts and durations, is not among them.
 */
export function createStandingFigures(log: MessageLog, store: ReadStore, logger: Logger): StandingFigures {
  const registry = new Registry()
  const newest = createLogMetrics(registry, systemClock.now)
  const watch = new ProjectionWatch({
    log,
    store,
    projections: allProjections,
    metrics: createProjectionMetrics(registry),
    now: () => performance.now(),
  })
  return {
    async read() {
      try {
        await watch.measure()
        newest.observe((await log.head()).time)
        return await snapshotOf(registry)
      } catch (error) {
        logger.warn({ err: error }, 'log and read models could not be measured')
        return []
      }
    },
    close: () => watch.close(),
  }
}
