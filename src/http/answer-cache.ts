/** A finished answer: everything that depends on the request's address and on what the read model holds. */
export interface FinishedAnswer {
  /** JSON as UTF-8: encoded once, however often it is sent. */
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

export interface AnswerCacheOptions {
  readonly entriesMax: number
  readonly bytesMax: number
}

/** The answers given since the read model last moved, the least recently used thrown away first. */
export class AnswerCache {
  readonly #options: AnswerCacheOptions
  readonly #answers = new Map<string, FinishedAnswer>()
  #bytes = 0
  #position = -1

  constructor(options: AnswerCacheOptions) {
    this.#options = options
  }

  get(key: string, position: number): FinishedAnswer | undefined {
    if (position !== this.#position) return undefined
    const answer = this.#answers.get(key)
    if (answer === undefined) return undefined
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    return answer
  }

  /** Keeps an answer for as long as the position stays; an older position's answer is not kept. */
  set(key: string, position: number, answer: FinishedAnswer): void {
    if (position < this.#position || this.#options.entriesMax <= 0) return
    if (position > this.#position) this.#restart(position)
    const size = sizeOf(key, answer)
    if (size > this.#options.bytesMax) return
    this.#remove(key)
    this.#answers.set(key, answer)
    this.#bytes += size
    while (this.#answers.size > this.#options.entriesMax || this.#bytes > this.#options.bytesMax) {
      const [oldest] = this.#answers.keys()
      if (oldest === undefined) return
      this.#remove(oldest)
    }
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
  }
}

function sizeOf(key: string, { body }: FinishedAnswer): number {
  return key.length + body.length
}
