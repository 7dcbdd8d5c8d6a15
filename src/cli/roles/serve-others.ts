import { keptProjections } from '#projections/index.ts'
import { rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { ServedModels } from '#src/runtime/serve/served-models.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'
import type { ProjectionStatus } from '#src/runtime/watch/status.ts'
import { ProjectionWatch, type WatchedInstance, watchedInstances } from '#src/runtime/watch/status-watch.ts'

const intervalMs = 1_000
/** A head that is older than this says nothing of a lag. */
const headAgeMaxSeconds = 10

export interface OtherInstancesOptions {
  readonly models: Pick<ServedModels, 'plan' | 'serving'>
  readonly openLog: (generation: number) => Promise<MessageLog>
  /** Whether the projections run in this process, and tell of themselves. */
  readonly toldElsewhere: () => boolean
  readonly logger: Logger
}

/**
 * How the instances stand that do not answer requests: built, paused, or being filled by whichever process. A rebuild has no
 * page of its own for Prometheus, so query processes tell of it. Costs nothing while there are none.
 */
export class OtherInstances {
  readonly #options: OtherInstancesOptions
  #statuses: readonly ProjectionStatus[] = []

  constructor(options: OtherInstancesOptions) {
    this.#options = options
  }

  /** As of the last second; nothing while a log does not tell its head, since lags would look too small. */
  get statuses(): readonly ProjectionStatus[] {
    const { serving } = this.#options.models
    return this.#statuses.filter(({ name, id }) => !serving.some((model) => model.name === name && model.id === id))
  }

  /** Measures every second until the signal. */
  async follow(store: ReadStore, signal: AbortSignal): Promise<void> {
    const { openLog, logger } = this.#options
    const now = (): number => performance.now()
    // Heads of their own: each of two watches closes the logs that it has no use for.
    const heads = new LogHeads({ openLog, now })
    const watch = new ProjectionWatch({ heads, store, instances: () => this.#instances(), now })
    while (!signal.aborted) {
      try {
        const statuses = await watch.measure()
        this.#statuses = watch.headAgeSeconds <= headAgeMaxSeconds ? statuses : []
      } catch (error) {
        logger.warn({ reason: (error as Error).message }, 'instances that do not serve could not be measured')
      }
      await rest(intervalMs, signal)
    }
    await watch.close()
    await heads.close()
  }

  #instances(): WatchedInstance[] {
    const { models, toldElsewhere } = this.#options
    return toldElsewhere() ? [] : watchedInstances(models.plan, keptProjections).filter(({ serving }) => !serving)
  }
}
