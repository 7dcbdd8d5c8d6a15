import { Arrivals } from '#src/runtime/fold/arrivals.ts'
import { type GroupOptions, ProjectionGroup } from '#src/runtime/fold/projection-group.ts'
import type { ProjectionRun } from '#src/runtime/fold/projection-run.ts'

/**
 * The projections of one thread that read one log. Those close together share a reader and a decode: the ones at the head,
 * and each bunch of those that catch up, so that an event is decoded once for all that begin together.
 */
export class ProjectionGroups {
  readonly #options: GroupOptions
  readonly #arrivals = new Arrivals()
  readonly #foremost: ProjectionGroup
  readonly #catchingUp = new Set<ProjectionGroup>()

  constructor(options: Omit<GroupOptions, 'arrivals'>) {
    this.#options = { ...options, arrivals: this.#arrivals }
    this.#foremost = new ProjectionGroup(this.#options)
  }

  /** Delays the opening of readers until what is returned is called, so that members that come together share one. */
  expectMember(): () => void {
    return this.#arrivals.expect()
  }

  /**
   * Brings a projection forward until the signal or, unless the log is followed, its end: with the foremost, or while it is
   * far behind them with others that are as far.
   */
  async keep(run: ProjectionRun, signal: AbortSignal): Promise<void> {
    for (;;) {
      while (!this.#foremost.takes(run)) {
        await this.#catchUp(run, signal)
        if (signal.aborted || !this.#options.follow) return
      }
      if ((await this.#foremost.follow(run, signal)) === 'ended') return
    }
  }

  /** Resolves when every reader is closed. */
  async closed(): Promise<void> {
    await Promise.all([this.#foremost, ...this.#catchingUp].map((group) => group.closed()))
  }

  /** To the end of the log as it is. */
  async #catchUp(run: ProjectionRun, signal: AbortSignal): Promise<void> {
    const group = [...this.#catchingUp].find((each) => each.takes(run)) ?? this.#open()
    await group.follow(run, signal)
    if (!group.isEmpty) return
    this.#catchingUp.delete(group)
    await group.closed()
  }

  #open(): ProjectionGroup {
    const group = new ProjectionGroup({ ...this.#options, follow: false })
    this.#catchingUp.add(group)
    return group
  }
}
