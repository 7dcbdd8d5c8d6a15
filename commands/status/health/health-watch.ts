import type { StatusCommand } from '#commands/status/commands.ts'
import { ComponentWatch } from '#commands/status/health/component-watch.ts'
import { type IncidentPolicy, nextIncidentCommand } from '#commands/status/health/incidents.ts'
import { type DueCommand, mayPass } from '#commands/status/maintenance-clock.ts'
import { isRefused } from '#commands/status/refusals.ts'
import type { StatusBook } from '#commands/status/status-book.ts'
import type { StatusService } from '#commands/status/status-service.ts'
import type { ComponentEvidence, Measurement, WatchedComponent } from '#src/domain/status/live-health.ts'
import { type Clock, rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface HealthWatchOptions {
  readonly service: Pick<StatusService, 'execute' | 'settled'>
  readonly clock: Clock
  readonly logger: Logger
  /** Those that explain others come before them. Those that are not on the page are left alone. */
  readonly components: readonly WatchedComponent[]
  readonly policy: IncidentPolicy
  /** Newest figures by metric; one that cannot be measured is left out. */
  readonly measure: () => Promise<ReadonlyMap<string, Measurement>>
  /** Whether this process writes down what it finds: of several that watch, one is enough. */
  readonly leads: () => boolean
  readonly intervalMs?: number
}

/**
 * Judges what is measured by rules, and writes down every change of level, and what follows from it for incidents. Levels
 * that were decided before are where it goes on; what it measured in between is kept by nobody.
 */
export class HealthWatch {
  readonly #options: HealthWatchOptions
  readonly #watches = new Map<string, ComponentWatch>()
  #isAway = false

  constructor(options: HealthWatchOptions) {
    this.#options = options
  }

  /** What it measured last, of the components that are on the page. */
  get live(): readonly ComponentEvidence[] {
    return [...this.#watches.values()].map(({ live }) => live)
  }

  /** Until the signal. Goes on measuring while the decision store is away. */
  async follow(signal: AbortSignal): Promise<void> {
    const { intervalMs = 1_000 } = this.#options
    while (!signal.aborted) {
      await this.look()
      await rest(intervalMs, signal)
    }
  }

  /** Measures, judges and writes down once. */
  async look(): Promise<void> {
    const { service, clock, components, measure, logger } = this.#options
    const measurements = await measure()
    const now = clock.now()
    for (const watch of this.#watches.values()) watch.take(measurements, now)
    try {
      const book = await service.settled()
      for (const watched of components) this.#attend(watched, book, now)
      if (this.#options.leads()) await this.#writeDown(book)
      this.#isAway = false
    } catch (error) {
      if (!mayPass(error)) throw error
      if (!this.#isAway) logger.warn({ err: error }, 'changes of health wait until the decision store answers')
      this.#isAway = true
    }
  }

  #attend(watched: WatchedComponent, { components }: StatusBook, now: number): void {
    const component = components.get(watched.id)
    if (component === undefined || component.removed || component.group) this.#watches.delete(watched.id)
    else if (!this.#watches.has(watched.id)) this.#watches.set(watched.id, new ComponentWatch(watched, component, now))
  }

  async #writeDown(book: StatusBook): Promise<void> {
    for (const due of this.#changes(book)) await this.#execute(due)
    const { components, policy, clock } = this.#options
    const order = components.map(({ id }) => id)
    for (;;) {
      const due = nextIncidentCommand(book, order, policy, clock.now())
      if (due === undefined || !(await this.#execute(due))) return
    }
  }

  /** Named for the revision that they follow: two processes that see the same change write it down once. */
  *#changes(book: StatusBook): Generator<DueCommand> {
    for (const { id, dependsOn } of this.#options.components) {
      const watch = this.#watches.get(id)
      if (watch === undefined || watch.status === (book.components.get(id)?.health ?? 'operational')) continue
      const { status } = watch
      const cause = status === 'operational' ? undefined : dependsOn.find((other) => this.#isInTrouble(other))
      const command = { type: 'RecordComponentHealth', id, status, evidence: watch.evidence(cause ?? null) } as const
      yield { command, command_id: `health/${id}/after/${book.revisionOf(`component-${id}`)}` }
    }
  }

  #isInTrouble(id: string): boolean {
    return (this.#watches.get(id)?.status ?? 'operational') !== 'operational'
  }

  /** Whether it was carried out; somebody else may have decided something a moment ago, and the next look tells. */
  async #execute({ command, command_id }: { command: StatusCommand; command_id: string }): Promise<boolean> {
    const { service, logger } = this.#options
    try {
      const { stream } = await service.execute(command, { actor: 'health', role: 'automation', command_id })
      logger.info({ command: command.type, command_id, stream }, 'status page follows live health')
      return true
    } catch (error) {
      if (!isRefused(error)) throw error
      logger.info({ command: command.type, command_id, code: error.code }, 'somebody was faster on the status page')
      return false
    }
  }
}
