/** Of the longest time that a call may take: what calls are cut to, so that one that takes unusually long still comes through. */
const sharePlanned = 1 / 4

/**
 * How many rows go into one call of a kind: as many as the last call's speed lets come through in a part of the time that a call
 * may take. A call that took longer than that has failed, and would fail for ever if it were sent again as large as it was.
 */
export class CallSize {
  readonly #plannedMs: number
  /** None was made yet. */
  #rows = Number.POSITIVE_INFINITY

  constructor(timeoutMs: number) {
    this.#plannedMs = timeoutMs * sharePlanned
  }

  /** For the next call, which takes no more than this in any case. */
  rows(rowsMax: number): number {
    return Math.min(Math.max(Math.floor(this.#rows), 1), rowsMax)
  }

  async measured<T>(rows: number, call: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const fitting = () => (rows * this.#plannedMs) / (performance.now() - startedMs)
    try {
      const result = await call()
      this.#rows = fitting()
      return result
    } catch (error) {
      // What fails at once says nothing about how fast calls are.
      this.#rows = Math.min(this.#rows, fitting())
      throw error
    }
  }
}
