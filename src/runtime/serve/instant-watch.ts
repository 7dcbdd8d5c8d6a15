import { rest } from '#src/ports/clock.ts'
import type { BlockEnd } from '#src/ports/read-store.ts'
import type { Instant } from '#src/runtime/serve/instant.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

export interface InstantWatchOptions {
  readonly instant: Instant
  /** Read models that answer about the ledger now, and the generation of the log that serves. */
  readonly serving: () => { readonly generation: number; readonly models: readonly ServedModel[] }
  /** Whether nobody keeps one of them up to date: an operator has stopped it, or its fold cannot go on. */
  readonly isStopped: (model: ServedModel) => boolean
  /** Milliseconds of a clock that only goes forwards. */
  readonly now: () => number
}

/** One that has not reached what half of them had so long ago is not waited for: it answers as of its own time until it has. */
const lateMs = 2_000
const intervalMs = 5
/** So often while nobody has asked for a moment. */
const idleIntervalMs = 100
/** All are looked at so often, at least: it costs some 0.6 ms, and a look at the one that others waited for a twentieth of it. */
const allIntervalMs = 100
const idleAllIntervalMs = 500
const idleAfterMs = 1_000
/** Looking takes at most this share of the time, however far away the store is. */
const lookShare = 0.2

interface Sight {
  readonly model: ServedModel
  readonly whole: BlockEnd
}

/** Follows which block all read models have, of those that keep up. */
export class InstantWatch {
  readonly #options: InstantWatchOptions
  /** What half of them had, by when it was seen. */
  readonly #medians: { readonly atMs: number; readonly time: bigint }[] = []
  /** The one that all others waited for when they were looked at: before it moves there is no newer instant. */
  #last: Sight | undefined
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: InstantWatchOptions) {
    this.#options = options
  }

  /** Looks until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    const { now, instant } = this.#options
    let askedAtMs = now()
    while (!signal.aborted) {
      const started = now()
      if (instant.takeAsked()) askedAtMs = started
      const isIdle = started - askedAtMs >= idleAfterMs
      if (!(await this.#isStill(isIdle ? idleAllIntervalMs : allIntervalMs))) await this.look()
      const usualMs = isIdle ? idleIntervalMs : intervalMs
      await rest(Math.max(usualMs, (now() - started) / lookShare), signal)
    }
  }

  /** Never rejects: what cannot be asked is left out until it answers. */
  async look(): Promise<void> {
    const { instant, serving, isStopped } = this.#options
    const { generation, models } = serving()
    const able = models.filter((model) => model.generation === generation && !model.filling && !isStopped(model))
    this.#lookedAtMs = this.#options.now()
    const seen = (await Promise.all(able.map(sightOf))).filter((sight) => sight !== undefined)
    const reached = this.#reachedBefore(seen)
    const [first, ...others] = seen.filter(({ whole }) => whole.time >= reached)
    this.#last = first && others.reduce((last, each) => (each.whole.time < last.whole.time ? each : last), first)
    if (this.#last !== undefined) instant.advance({ generation, ...this.#last.whole })
  }

  /** Whether the last one stands where it stood, all having been looked at so long ago at most. */
  async #isStill(forMs: number): Promise<boolean> {
    if (this.#last === undefined || this.#options.now() - this.#lookedAtMs >= forMs) return false
    const { model, whole } = this.#last
    // One that was replaced is not asked any more.
    if (!this.#options.serving().models.includes(model)) return false
    return (await sightOf(model))?.whole.time === whole.time
  }

  /** What half of them had a while ago. */
  #reachedBefore(seen: readonly Sight[]): bigint {
    const atMs = this.#options.now()
    const times = seen.map(({ whole }) => whole.time).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const median = times[Math.floor((times.length - 1) / 2)] ?? 0n
    if (this.#medians.at(-1)?.time !== median) this.#medians.push({ atMs, time: median })
    // The last one of before is what they had then.
    while ((this.#medians[1]?.atMs ?? atMs) <= atMs - lateMs) this.#medians.shift()
    const [oldest] = this.#medians
    return oldest !== undefined && oldest.atMs <= atMs - lateMs ? oldest.time : 0n
  }
}

async function sightOf(model: ServedModel): Promise<Sight | undefined> {
  try {
    const whole = await model.use(async () => (await model.checkpoint()).whole)
    return whole && { model, whole }
  } catch {
    // Why is told to whoever asks it, and by readiness.
    return undefined
  }
}
