import { encoded, type FinishedAnswer } from '#src/http/finished-answer.ts'

export interface AnswerCacheOptions {
  /** Most that it takes, with the addresses and all that it remembers of them; 0 keeps nothing. */
  readonly bytesMax: number
  /** Answers are thrown away after this, also where the read models do not move; milliseconds. */
  readonly ageMaxMs?: number
  /** Milliseconds of a clock that only goes forwards. */
  readonly now?: () => number
}

interface KeptAnswer {
  readonly answer: FinishedAnswer
  /** What the read models were like. */
  readonly stamp: string
  readonly atMs: number
  readonly bytes: number
}

/** Rows change without moving the read model where an operator has set-aside events folded again. */
const defaultAgeMaxMs = 5_000
/** What an entry takes beside its address and its body: headers, the objects themselves and the places in the map. */
const entryBytes = 768
/** The same for an address that was asked for once. */
const askedBytes = 48
/** Part of the budget for addresses that were asked for once. */
const askedShare = 0.1

/**
 * Answers of all endpoints, kept while their read models do not move, in one budget: the least recently used are thrown
 * away first. Only what is asked for again is worth keeping: whoever pages through history would push out what everybody
 * asks for.
 */
export class AnswerCache {
  readonly bytesMax: number
  readonly #ageMaxMs: number
  readonly #now: () => number
  readonly #answers = new Map<string, KeptAnswer>()
  /** Digests of the addresses last asked for: an address can be long, and a wrong guess only keeps an answer too early. */
  readonly #asked = new Set<number>()
  #answerBytes = 0

  constructor({ bytesMax, ageMaxMs, now }: AnswerCacheOptions) {
    this.bytesMax = bytesMax
    this.#ageMaxMs = ageMaxMs ?? defaultAgeMaxMs
    this.#now = now ?? performance.now.bind(performance)
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.#answerBytes + this.#asked.size * askedBytes
  }

  get entries(): number {
    return this.#answers.size
  }

  get(key: string, stamp: string): FinishedAnswer | undefined {
    const kept = this.#answers.get(key)
    if (kept === undefined) return undefined
    this.#answers.delete(key)
    if (kept.stamp !== stamp || this.#now() - kept.atMs > this.#ageMaxMs) {
      this.#answerBytes -= kept.bytes
      return undefined
    }
    this.#answers.set(key, kept)
    return kept.answer
  }

  /** Keeps an answer that is not given for the first time, as long as its read models stay what the stamp says. */
  offer(key: string, stamp: string, answer: FinishedAnswer): void {
    if (this.bytesMax <= 0) return
    if (this.#wasAsked(key)) this.#keep(key, stamp, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.bytes <= this.bytesMax) return
      this.#remove(oldest)
    }
  }

  #keep(key: string, stamp: string, answer: FinishedAnswer): void {
    this.#remove(key)
    const kept = encoded(answer)
    const bytes = entryBytes + 2 * key.length + kept.body.length
    if (bytes > this.bytesMax / 2) return
    this.#answers.set(key, { answer: kept, stamp, atMs: this.#now(), bytes })
    this.#answerBytes += bytes
  }

  /** Whether the address is among those last asked for; remembered whatever the read models do. */
  #wasAsked(key: string): boolean {
    const digest = digestOf(key)
    const known = this.#asked.delete(digest)
    this.#asked.add(digest)
    if (this.#asked.size * askedBytes > this.bytesMax * askedShare) {
      for (const oldest of this.#asked) {
        this.#asked.delete(oldest)
        break
      }
    }
    return known
  }

  #remove(key: string): void {
    const kept = this.#answers.get(key)
    if (kept === undefined) return
    this.#answers.delete(key)
    this.#answerBytes -= kept.bytes
  }
}

/** 32 bits of a text (FNV-1a). */
function digestOf(text: string): number {
  let digest = 0x811c9dc5
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193)
  return digest >>> 0
}
