import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { ProjectionGroups } from '#src/runtime/fold/projection-groups.ts'
import type { ProjectionProgress, ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'

export interface LogFeedsOptions {
  readonly openLog: (generation: number) => Promise<MessageLog>
  readonly limits: ProjectorLimits
  readonly logger: Logger
  readonly onProgress: (progress: ProjectionProgress) => void
}

/** The log of one generation with the groups that share its readers. */
export interface LogFeed {
  readonly log: MessageLog
  /** Follows new events. */
  readonly following: ProjectionGroups
  /** Ends at the end of the log. */
  readonly ending: ProjectionGroups
  /** Says that the caller reads no more; the last one closes the log. */
  release(): Promise<void>
}

interface Opened {
  readonly opening: Promise<Omit<LogFeed, 'release'>>
  users: number
}

/** Opens each log generation once for all that read it, and closes it after the last one. */
export class LogFeeds {
  readonly #options: LogFeedsOptions
  readonly #opened = new Map<number, Opened>()

  constructor(options: LogFeedsOptions) {
    this.#options = options
  }

  async acquire(generation: number): Promise<LogFeed> {
    const opened = this.#opened.get(generation) ?? { opening: this.#open(generation), users: 0 }
    this.#opened.set(generation, opened)
    opened.users += 1
    try {
      return { ...(await opened.opening), release: () => this.#release(generation, opened) }
    } catch (error) {
      if (this.#opened.get(generation) === opened) this.#opened.delete(generation)
      throw error
    }
  }

  async #release(generation: number, opened: Opened): Promise<void> {
    opened.users -= 1
    if (opened.users > 0) return
    this.#opened.delete(generation)
    const { log, following, ending } = await opened.opening
    await following.closed()
    await ending.closed()
    await log.close()
  }

  async #open(generation: number): Promise<Omit<LogFeed, 'release'>> {
    const { openLog, limits, logger, onProgress } = this.#options
    const log = await openLog(generation)
    const shared = { log, limits, logger, onProgress }
    return {
      log,
      following: new ProjectionGroups({ ...shared, follow: true }),
      ending: new ProjectionGroups({ ...shared, follow: false }),
    }
  }
}
