/** Priorities, by how much a request has read already. What has read least goes first. */
export const priorities = { first: 0, page: 1, large: 2, search: 3 } as const
export type Priority = (typeof priorities)[keyof typeof priorities]

export interface TurnsOptions {
  /** Time that requests may take of one turn of the event loop; milliseconds. */
  readonly turnMs?: number
  /** Milliseconds of a clock that only goes forwards. */
  readonly now?: () => number
}

const defaultTurnMs = 5
/** While connections arrive, one turn in so many lets requests of every priority move. */
const fullTurnEvery = 32

/**
 * Shares the one thread among requests. All of them together may take a few milliseconds of a turn of the event loop; then
 * new connections, health and what was answered meanwhile get theirs. Of those that wait, whoever has read least goes first,
 * and requests of each priority move in every turn, so that nobody waits for the end of a search, and none starves.
 *
 * The server takes one new connection a turn, so a burst of a thousand takes a thousand turns: while they arrive, turns are
 * as short as one step.
 */
export class Turns {
  readonly #turnMs: number
  readonly #now: () => number
  readonly #waiting: readonly (() => void)[][] = Object.values(priorities).map(() => [])
  #ends = 0
  #begun = false
  /** Lanes above the first, counted down, that have not moved in this turn. */
  #owed = 0
  /** Whether one step goes on whatever the time. */
  #granted = false
  #arrivals = 0
  #hurried = false

  constructor({ turnMs = defaultTurnMs, now = performance.now.bind(performance) }: TurnsOptions = {}) {
    this.#turnMs = turnMs
    this.#now = now
  }

  /** Requests that wait for a turn. */
  get waiting(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0)
  }

  /** For what has not begun: what to wait for, behind those that came before. undefined: nothing, go on. */
  arrive(): Promise<void> | undefined {
    return this.#mayGoOn() && this.#waiting[priorities.first]!.length === 0 ? undefined : this.#wait(priorities.first)
  }

  /** For what is under way, before each step. undefined: go on. */
  goOn(priority: Priority): Promise<void> | undefined {
    return this.#mayGoOn() && !this.#anyBefore(priority) ? undefined : this.#wait(priority)
  }

  /** A connection has arrived, and more may be behind it: what has not begun waits for the next turn. */
  hurry(): void {
    if (!this.#begun) this.#begin()
    this.#arrivals += 1
    if (this.#arrivals % fullTurnEvery !== 0) this.#hurried = true
  }

  #mayGoOn(): boolean {
    if (!this.#begun) this.#begin()
    return !this.#hurried && this.#now() < this.#ends
  }

  #begin(): void {
    this.#begun = true
    this.#ends = this.#now() + this.#turnMs
    setImmediate(this.#turn)
  }

  #anyBefore(priority: Priority): boolean {
    for (let before = 0; before < priority; before++) if (this.#waiting[before]!.length > 0) return true
    return false
  }

  #wait(priority: Priority): Promise<void> {
    return new Promise((resolve) => this.#waiting[priority]!.push(resolve))
  }

  readonly #turn = (): void => {
    this.#ends = this.#hurried ? 0 : this.#now() + this.#turnMs
    this.#owed = this.#hurried ? 0 : priorities.search
    this.#granted = this.#hurried
    this.#hurried = false
    this.#resume()
  }

  /** Lets one after the other do its step, as long as the turn lasts. */
  readonly #resume = (): void => {
    const next = this.#take()
    if (next !== undefined) {
      next()
      // A tick from within a microtask comes when all that the step did without waiting for something is done.
      queueMicrotask(() => process.nextTick(this.#resume))
    } else if (this.waiting > 0) setImmediate(this.#turn)
    else this.#begun = false
  }

  #take(): (() => void) | undefined {
    while (this.#owed > 0) {
      const next = this.#waiting[this.#owed]!.shift()
      this.#owed -= 1
      // What was owed, however long, leaves those before it their time.
      if (this.#owed === 0 && this.#anyBefore(priorities.search)) this.#ends = this.#now() + this.#turnMs
      if (next !== undefined) return next
    }
    if (!this.#granted && this.#now() >= this.#ends) return undefined
    this.#granted = false
    return this.#waiting.find(({ length }) => length > 0)?.shift()
  }
}
