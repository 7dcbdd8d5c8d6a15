import { rest } from '#src/ports/clock.ts'
import type { BlockEnd } from '#src/ports/read-store.ts'
import type { Instant } from '#src/runtime/serve/instant.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

export interface InstantWatchOptions {
  readonly instant: Instant
  /** Read models that answer about the ledger now, and the generation of the log that serves. */
  readonly serving: () => { readonly generation: number; readonly models: readonly ServedModel[] }
  /** Whether an operator has stopped one of them. */
  readonly isPaused: (model: ServedModel) => boolean
  /** Milliseconds of a clock that only goes forwards. */
  readonly now: () => number
}

/** One that has not reached what half of them had so long ago is not waited for: it answers as of its own time until it has. */
const lateMs = 2_000
const intervalMs = 10
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

  constructor(options: InstantWatchOptions) {
    this.#options = options
  }

  /** Looks until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = this.#options.now()
      await this.look()
      await rest(Math.max(intervalMs, (this.#options.now() - started) / lookShare), signal)
    }
  }

  /** Never rejects: what cannot be asked is left out until it answers. */
  async look(): Promise<void> {
    const { instant, serving, isPaused } = this.#options
    const { generation, models } = serving()
    const able = models.filter((model) => model.generation === generation && !model.filling && !isPaused(model))
    const seen = (await Promise.all(able.map(sightOf))).filter((sight) => sight !== undefined)
    const reached = this.#reachedBefore(seen)
    const [first, ...others] = seen.map(({ whole }) => whole).filter(({ time }) => time >= reached)
    if (first === undefined) return
    const oldest = others.reduce((least, each) => (each.time < least.time ? each : least), first)
    instant.advance({ generation, ...oldest })
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
