import type { Candidate } from '#src/importer/source/candidates.ts'
import type { Verification } from '#src/importer/verify/verify-file.ts'

export interface ReadAheadOptions {
  readonly filesMax: number
  /** Roughly the unpacked bytes in flight; one file is always allowed. */
  readonly bytesMax: number
  readonly verify: (candidate: Candidate) => Promise<Verification>
}

interface Ahead {
  readonly result: Promise<Verification>
  /** Bytes that it counts for: an estimate, then what it takes. */
  size: number
}

/** Record files pack to about a quarter. */
const unpackingFactor = 4
/** Two slices and an object. */
const itemOverhead = 250

/** Verifies the next files while the current one is published; results come in order, and memory stays bounded. */
export class ReadAhead {
  readonly #options: ReadAheadOptions
  readonly #waiting: Candidate[]
  readonly #running: Ahead[] = []
  #bytes = 0

  constructor(candidates: readonly Candidate[], options: ReadAheadOptions) {
    this.#waiting = [...candidates]
    this.#options = options
  }

  /** The next verification; undefined after the last file. */
  async next(): Promise<Verification | undefined> {
    this.#fill()
    const head = this.#running.shift()
    if (!head) return undefined
    try {
      return await head.result
    } finally {
      this.#bytes -= head.size
    }
  }

  /** Forgets what is ahead. Fetches in flight end by themselves; their outcome does not matter any more. */
  abandon(): void {
    this.#waiting.length = 0
    this.#running.length = 0
  }

  #correct(ahead: Ahead, verification: Verification): void {
    if (!this.#running.includes(ahead)) return
    const size = takenBy(verification)
    this.#bytes += size - ahead.size
    ahead.size = size
  }

  #fill(): void {
    const { filesMax, bytesMax, verify } = this.#options
    while (this.#waiting[0] && (this.#running.length === 0 || this.#running.length < filesMax)) {
      const size = sizeOf(this.#waiting[0])
      if (this.#running.length > 0 && this.#bytes + size > bytesMax) return
      const candidate = this.#waiting.shift() as Candidate
      const ahead = { result: verify(candidate), size }
      // Awaited later, or never when abandoned: a failure must not count as unhandled meanwhile.
      ahead.result.then(
        (verification) => this.#correct(ahead, verification),
        () => undefined,
      )
      this.#running.push(ahead)
      this.#bytes += size
    }
  }
}

/** Bytes and bookkeeping of the items of a verification. */
function takenBy({ files }: Verification): number {
  return files.reduce((total, { file }) => total + file.sizeUnpacked + file.items.length * itemOverhead, 0)
}

function sizeOf({ dataSize }: Candidate): number {
  return dataSize * unpackingFactor
}
