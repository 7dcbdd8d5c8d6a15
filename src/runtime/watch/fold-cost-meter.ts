import type { ProjectionProgress } from '#src/runtime/fold/projector-limits.ts'

/** Fewer events say nothing of what one costs. */
const eventsMin = 10_000

interface Measured {
  events: number
  commitSeconds: number
  foldSeconds: number
}

/** Measures what an event costs each read model, from its commits. */
export class FoldCostMeter {
  readonly #measured = new Map<string, Measured>()

  observe({ name, events, seconds, foldSeconds }: ProjectionProgress): void {
    const measured = this.#measured.get(name) ?? { events: 0, commitSeconds: 0, foldSeconds: 0 }
    measured.events += events
    measured.commitSeconds += seconds
    measured.foldSeconds = Math.max(measured.foldSeconds, foldSeconds)
    this.#measured.set(name, measured)
  }

  /** Microseconds an event, by read model, of those that had enough of them. */
  get costs(): ReadonlyMap<string, number> {
    const known = [...this.#measured].filter(([, { events }]) => events >= eventsMin)
    return new Map(
      known.map(([name, { events, commitSeconds, foldSeconds }]) => {
        return [name, Math.round(((commitSeconds + foldSeconds) / events) * 1e7) / 10]
      }),
    )
  }
}
