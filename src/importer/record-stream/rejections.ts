import type { LedgerError } from '#src/domain/errors.ts'
import type { Candidate } from '#src/importer/source/candidates.ts'

export interface RejectionsOptions {
  /** Milliseconds until the same files are looked at again; doubles each time up to the greatest. */
  readonly delayMs: number
  readonly now: () => number
}

interface Rejection {
  /** What was listed, and whom we trusted. */
  readonly seen: string
  readonly error: LedgerError
  readonly delayMs: number
  readonly retryAt: number
}

const delayMaxMs = 30_000
const entriesMax = 1_000

/**
 * Remembers why files were not accepted, so that an importer that waits does not fetch the same ones again and again: as
 * long as the listing shows them unchanged, the verdict stands for a while. A file put right under the same name and size
 * is found at the latest after half a minute.
 */
export class Rejections {
  readonly #byStem = new Map<string, Rejection>()
  readonly #options: RejectionsOptions

  constructor(options: RejectionsOptions) {
    this.#options = options
  }

  /** Why this file was rejected; undefined when it is worth another look. */
  find(candidate: Candidate, trustVersion: number): LedgerError | undefined {
    const known = this.#byStem.get(candidate.stem)
    if (known === undefined || known.seen !== seenOf(candidate, trustVersion)) return undefined
    return this.#options.now() < known.retryAt ? known.error : undefined
  }

  has({ stem }: Candidate): boolean {
    return this.#byStem.has(stem)
  }

  /** Keeps a verdict; one just found stays as it is. */
  add(candidate: Candidate, trustVersion: number, error: LedgerError): void {
    const { delayMs, now } = this.#options
    const { stem } = candidate
    const seen = seenOf(candidate, trustVersion)
    const known = this.#byStem.get(stem)
    if (known?.error === error) return
    const again = known?.seen === seen
    // What enough nodes agree on and yet does not fit will hardly fit when nothing has changed.
    const first = error.code === 'chain_broken' ? delayMaxMs : delayMs
    const delay = Math.min(delayMaxMs, again ? 2 * known.delayMs : first)
    if (known === undefined && this.#byStem.size >= entriesMax) this.#byStem.clear()
    this.#byStem.set(stem, { seen, error, delayMs: delay, retryAt: now() + delay })
  }

  /** After progress every verdict may be another. */
  clear(): void {
    this.#byStem.clear()
  }
}

function seenOf({ signatures }: Candidate, trustVersion: number): string {
  const parts = signatures.map(({ nodeId, name, size, dataSize }) => `${nodeId} ${name} ${size} ${dataSize ?? '-'}`)
  return `${trustVersion}|${parts.join('|')}`
}
