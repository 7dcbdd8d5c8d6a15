import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '#src/domain/errors.ts'
import type { NamedInstance } from '#src/operations/plan.ts'
import { followingLagMax, type InstanceState, type RunningInstance } from '#src/operations/running-instance.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { closeRun, openRun } from '#src/runtime/fold/projection-open.ts'
import type { ProjectionRun } from '#src/runtime/fold/projection-run.ts'
import type { ProjectionProgress, ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import type { RowMemory } from '#src/runtime/fold/row-memory.ts'
import { type OutputOptions, OutputPublishers } from '#src/runtime/outputs/output-publishers.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import type { LogFeeds } from '#src/runtime/replay/log-feeds.ts'
import { MeanRate } from '#src/runtime/watch/mean-rate.ts'

export interface InstanceKeeperOptions {
  readonly store: ReadStore
  readonly feeds: LogFeeds
  readonly limits: ProjectorLimits
  readonly memory: RowMemory
  readonly logger: Logger
  readonly instance: NamedInstance
  readonly projection: AnyProjection
  readonly signal: AbortSignal
  /** true: end at the end of the log, and wait for no other owner. */
  readonly toEnd?: boolean
  readonly reportProgress?: (instance: RunningInstance, position: number, log: MessageLog) => Promise<void>
  /** undefined: nothing is published. */
  readonly outputs?: OutputOptions
  /** Whether the instance is the one that publishes, as the plan says now. */
  readonly publishes: () => boolean
}

/** An owner that leaves or dies is followed within this, whatever the pauses while log or store are away. */
const takeOverWaitMaxMs = 1_000
const reportIntervalMs = 1_000
const waitedFor: readonly ErrorCode[] = [
  'owner_busy',
  'owner_fenced',
  'checkpoint_moved',
  'disk_full',
  'data_folder_unusable',
]
/** The last report before an instance is let go is not worth more. */
const lastReportMsMax = 2_000

/** Keeps one instance up to date as long as it may, across outages and other owners, and knows how it stands. */
export class InstanceKeeper {
  readonly #options: InstanceKeeperOptions
  readonly #rate = new MeanRate()
  #state: InstanceState = 'waiting'
  #epoch: number | null = null
  #position: Position = 0
  #head: Position = 0
  #commits = 0
  #problem: string | undefined
  /** While it is ours. */
  #log: MessageLog | undefined
  #outputs: OutputPublishers | undefined
  #reported: Position = -1
  #reportedAtMs = Number.NEGATIVE_INFINITY
  #reporting: Promise<void> = Promise.resolve()
  #reportFailed = false

  constructor(options: InstanceKeeperOptions) {
    this.#options = options
  }

  get instance(): RunningInstance {
    const { name, id, version, build, generation } = this.#options.instance
    const problem = this.#problem ?? this.#outputs?.problem
    return {
      name,
      id,
      version,
      build,
      generation,
      state: this.#state,
      epoch: this.#epoch,
      position: this.#position,
      head: this.#head,
      eventsPerSecond: this.#rate.perSecond(performance.now()),
      ...(problem === undefined ? {} : { problem }),
    }
  }

  /** Resolves when the signal, or the end of the log, has ended it; rejects with what it cannot go on after. */
  async run(): Promise<void> {
    const { signal, logger, toEnd = false, limits } = this.#options
    try {
      await retryWhileAway(() => this.#attempt(), {
        signal,
        logger,
        progress: () => this.#commits,
        // Fenced: a newer owner took over while this process stood still. Moved: the store came back older than it was; its
        // rows are whole up to where it stands, and each attempt begins there. Full: until somebody frees some space. Unusable:
        // until rights on its files are given back.
        alsoWaitFor: toEnd ? [] : waitedFor,
        onAway: ({ message }) => this.#enter('waiting', message),
        retryMinMs: limits.retryMinMs,
        retryMaxMs: Math.min(limits.retryMaxMs, takeOverWaitMaxMs),
      })
    } catch (error) {
      this.#enter('failed', error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  /** A commit. */
  observe({ position, head, complete }: Pick<ProjectionProgress, 'position' | 'head' | 'complete'>): void {
    this.#commits += 1
    this.#position = position
    this.#head = head
    this.#rate.add(performance.now(), position)
    this.#outputs?.announce({ position, through: complete })
    this.#enter(head - position > followingLagMax ? 'catching_up' : 'following')
  }

  /** Now and then: tells the log's own lag tools, where they do not know yet, and whoever publishes that the plan may have changed. */
  look(): void {
    this.#outputs?.look()
    const nowMs = performance.now()
    if (this.#log === undefined || nowMs - this.#reportedAtMs < reportIntervalMs) return
    this.#reportedAtMs = nowMs
    this.#reporting = this.#reporting.then(() => this.#report())
  }

  /** One after the other, so that none tells an older position than the one before. */
  async #report(): Promise<void> {
    const log = this.#log
    const position = this.#position
    if (log === undefined || position === this.#reported) return
    try {
      await this.#options.reportProgress?.(this.instance, position, log)
      this.#reported = position
      this.#reportFailed = false
    } catch (error) {
      const { name: projection, id: instance } = this.#options.instance
      if (!this.#reportFailed)
        this.#options.logger.warn(
          { err: error, projection, instance },
          'lag tools of the log cannot be told the position',
        )
      this.#reportFailed = true
    }
  }

  async #attempt(): Promise<void> {
    const { feeds, instance, signal, toEnd = false, logger } = this.#options
    const feed = await feeds.acquire(instance.generation)
    const groups = toEnd ? feed.ending : feed.following
    const arrived = groups.expectMember()
    let run: ProjectionRun | undefined
    try {
      run = await openRun({ ...this.#options, log: feed.log })
      this.#own(run, (await feed.log.head()).sequence)
      this.#log = feed.log
      const outputs = this.#publish(run)
      // Joining is the next step; whoever comes at the same moment is joined by then, too.
      setImmediate(arrived)
      await groups.keep(run, signal)
      if (toEnd) await outputs.drain(signal)
      this.#reporting = this.#reporting.then(() => this.#report())
      await Promise.race([this.#reporting, sleep(lastReportMsMax, undefined, { ref: false })])
    } finally {
      arrived()
      this.#log = undefined
      await this.#outputs?.stop()
      this.#outputs = undefined
      if (run) await closeRun(run, logger)
      this.#epoch = null
      await feed.release()
    }
  }

  #publish({ projection, position, complete }: ProjectionRun): OutputPublishers {
    const { outputs, publishes: isDue, limits, toEnd = false } = this.#options
    const { retryMinMs } = limits
    const retryMaxMs = Math.min(limits.retryMaxMs, takeOverWaitMaxMs)
    const own = { projection, outputs, isDue, toEnd, retryMinMs, retryMaxMs }
    this.#outputs = new OutputPublishers({ ...this.#options, ...own })
    this.#outputs.announce({ position, through: complete })
    return this.#outputs
  }

  #own({ epoch, position }: ProjectionRun, head: Position): void {
    const { name, version, id } = this.#options.instance
    this.#epoch = epoch
    this.#position = position
    this.#head = head
    this.#rate.clear()
    this.#rate.add(performance.now(), position)
    this.#enter(head - position > followingLagMax ? 'catching_up' : 'following')
    this.#options.logger.info(
      { projection: name, version, instance: id, epoch, position, head },
      'kept up to date here',
    )
  }

  #enter(state: InstanceState, problem?: string): void {
    this.#state = state
    this.#problem = problem
  }
}
