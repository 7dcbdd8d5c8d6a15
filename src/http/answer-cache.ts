/** A finished answer: everything that depends on the request's address and on what the read model holds. */
export interface FinishedAnswer {
  /** JSON; as UTF-8 where it is kept: encoded once, however often it is sent. */
  readonly body: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

export interface AnswerCacheOptions {
  readonly entriesMax: number
  readonly bytesMax: number
  /** Answers are thrown away after this, also where the read model does not move; milliseconds. */
  readonly ageMaxMs?: number
  /** Milliseconds of a clock that only goes forwards. */
  readonly now?: () => number
}

/** Rows change without moving the read model where an operator has set-aside events folded again. */
const defaultAgeMaxMs = 5_000

/** Addresses remembered for every answer that may be kept. */
const askedPerEntry = 4

/**
 * The answers given since the read model last moved, the least recently used thrown away first. Only what is asked for
 * again is worth keeping: whoever pages through history would push out what everybody asks for.
 */
export class AnswerCache {
  readonly #options: AnswerCacheOptions
  readonly #answers = new Map<string, FinishedAnswer>()
  readonly #asked = new Set<string>()
  #bytes = 0
  #position = -1
  #startedMs = 0

  constructor(options: AnswerCacheOptions) {
    this.#options = options
  }

  get(key: string, position: number): FinishedAnswer | undefined {
    if (position !== this.#position || this.#isOld()) return undefined
    const answer = this.#answers.get(key)
    if (answer === undefined) return undefined
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    return answer
  }

  /** Keeps an answer that is not given for the first time, as long as the position stays, if none newer was kept. */
  offer(key: string, position: number, answer: FinishedAnswer): void {
    if (position < this.#position || this.#options.entriesMax <= 0 || !this.#wasAsked(key)) return
    if (position > this.#position || this.#isOld()) this.#restart(position)
    const kept = { ...answer, body: Buffer.from(answer.body) }
    const size = sizeOf(key, kept)
    if (size > this.#options.bytesMax) return
    this.#remove(key)
    this.#answers.set(key, kept)
    this.#bytes += size
    while (this.#answers.size > this.#options.entriesMax || this.#bytes > this.#options.bytesMax) {
      const [oldest] = this.#answers.keys()
      if (oldest === undefined) return
      this.#remove(oldest)
    }
  }

  /** Whether the address is among those last asked for; remembered across positions. */
  #wasAsked(key: string): boolean {
    const known = this.#asked.delete(key)
    this.#asked.add(key)
    if (this.#asked.size > this.#options.entriesMax * askedPerEntry) {
      const [oldest] = this.#asked
      if (oldest !== undefined) this.#asked.delete(oldest)
    }
    return known
  }

  #remove(key: string): void {
    const answer = this.#answers.get(key)
    if (answer === undefined) return
    this.#answers.delete(key)
    this.#bytes -= sizeOf(key, answer)
  }

  #restart(position: number): void {
    this.#answers.clear()
    this.#bytes = 0
    this.#position = position
    this.#startedMs = this.#now()
  }

  #isOld(): boolean {
    return this.#now() - this.#startedMs > (this.#options.ageMaxMs ?? defaultAgeMaxMs)
  }

  #now(): number {
    return (this.#options.now ?? performance.now.bind(performance))()
  }
}

function sizeOf(key: string, { body }: FinishedAnswer): number {
  return key.length + body.length
}
