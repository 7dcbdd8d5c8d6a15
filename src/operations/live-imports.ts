import type { ControlStore } from '#src/ports/control-store.ts'

export interface LiveImportsOptions {
  /** undefined while the store is not open. */
  readonly control: () => ControlStore | undefined
  /** Milliseconds of a clock that only goes forwards. */
  readonly now: () => number
}

/** A transaction that is no older when it arrives comes from a network that is alive. */
const liveWithinSeconds = 3_600
/** One that has not moved for so long is at the end of what its source has. */
const restMs = 60_000
/** How often it is asked whether another process has seen it alive. */
const askEveryMs = 10_000

interface Sighting {
  readonly sequence: number
  /** When it was seen to move last; undefined while it was not. */
  readonly movedAtMs: number | undefined
}

/**
 * Tells archives from networks: of a log whose transactions were old already when they arrived, and to which nothing comes any
 * more, nobody waits for newer ones. What was alive once is remembered beside the plan, so that a network that has gone silent is
 * not taken for an archive after a restart.
 */
export class LiveImports {
  readonly #options: LiveImportsOptions
  readonly #alive = new Set<number>()
  readonly #seen = new Map<number, Sighting>()
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: LiveImportsOptions) {
    this.#options = options
  }

  /** Whether all that the source of a log generation has is there, and nothing newer is waited for. */
  async isArchive(generation: number, sequence: number, ageSeconds: number): Promise<boolean> {
    if (ageSeconds < liveWithinSeconds) await this.#noteAlive(generation)
    const isMoving = this.#isMoving(generation, sequence)
    return !isMoving && !this.#alive.has(generation) && !(await this.#wasAlive(generation))
  }

  #isMoving(generation: number, sequence: number): boolean {
    const nowMs = this.#options.now()
    const seen = this.#seen.get(generation)
    const movedAtMs = seen !== undefined && seen.sequence !== sequence ? nowMs : seen?.movedAtMs
    this.#seen.set(generation, { sequence, movedAtMs })
    return movedAtMs !== undefined && nowMs - movedAtMs < restMs
  }

  async #noteAlive(generation: number): Promise<void> {
    if (this.#alive.has(generation)) return
    const control = this.#options.control()
    if (control === undefined) return
    const name = documentOf(generation)
    if ((await control.get(name)) === undefined) await control.put(name, '{"alive":true}', 0)
    this.#alive.add(generation)
  }

  async #wasAlive(generation: number): Promise<boolean> {
    const nowMs = this.#options.now()
    const control = this.#options.control()
    if (control === undefined || nowMs - this.#askedAtMs < askEveryMs) return false
    // Only an answer counts: a store that is away is asked with the next look.
    const document = await control.get(documentOf(generation))
    this.#askedAtMs = nowMs
    if (document === undefined) return false
    this.#alive.add(generation)
    return true
  }
}

function documentOf(generation: number): string {
  return `alive/${generation}`
}
