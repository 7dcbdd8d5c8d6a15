const windowMs = 10_000

interface Sample {
  readonly atMs: number
  readonly amount: number
}

/** How fast a total grows, over the last ten seconds. */
export class MeanRate {
  readonly #samples: Sample[] = []

  /** The total as of now; milliseconds of a clock that only goes forwards. */
  add(atMs: number, amount: number): void {
    const last = this.#samples.at(-1)
    // A dense series would only cost memory.
    if (this.#samples.length > 1 && last && atMs - this.#samples.at(-2)!.atMs < windowMs / 100) this.#samples.pop()
    this.#samples.push({ atMs, amount })
    this.#forget(atMs)
  }

  /** 0 while nothing has moved for the whole window. */
  perSecond(nowMs: number): number {
    this.#forget(nowMs)
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    if (first === undefined || last === undefined || nowMs <= first.atMs) return 0
    return ((last.amount - first.amount) / (nowMs - first.atMs)) * 1_000
  }

  clear(): void {
    this.#samples.length = 0
  }

  #forget(nowMs: number): void {
    while (this.#samples.length > 1 && nowMs - this.#samples[1]!.atMs > windowMs) this.#samples.shift()
  }
}
