/** Lets those that come together begin together: who is expected is waited for. */
export class Arrivals {
  #expected = 0
  #waiting: (() => void)[] = []

  /** Expects one more, until what is returned is called. */
  expect(): () => void {
    this.#expected += 1
    let due = true
    return () => {
      if (!due) return
      due = false
      this.#expected -= 1
      if (this.#expected === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** Resolves when nobody is expected any more. */
  async over(): Promise<void> {
    while (this.#expected > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
