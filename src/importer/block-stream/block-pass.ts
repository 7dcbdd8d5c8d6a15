import type { BlockInFlight, BlocksInFlight } from '#src/importer/block-stream/blocks-in-flight.ts'
import type { PassOutcome } from '#src/importer/stream-import.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

export interface BlockPassOptions {
  readonly feed: AsyncGenerator<SourceBlock, void, undefined>
  /** Ends what the feed waits for. */
  readonly stop: () => void
  readonly flight: BlocksInFlight
  /** Reads a block and begins to prove it; throws where it does not hold. */
  readonly take: (source: SourceBlock) => void
  /** Publishes the first block in flight, whose proof is there; throws where it does not hold. */
  readonly confirm: (block: BlockInFlight) => Promise<'published' | 'ended'>
  /** Nothing is ready: what was published so far goes out. */
  readonly flush: () => Promise<void>
  readonly refused: (source: SourceBlock, error: unknown) => void
}

interface Arrival {
  readonly promise: Promise<void>
  settled: boolean
  result: IteratorResult<SourceBlock, void> | undefined
  failure: unknown
}

/** One look at a source of blocks: it reads ahead while proofs are checked, and publishes in order. */
export class BlockPass {
  readonly #options: BlockPassOptions
  #arrival: Arrival | undefined
  /** The source has ended, or has failed with this, which is said once all before it is published. */
  #end: { readonly failure?: unknown } | undefined

  constructor(options: BlockPassOptions) {
    this.#options = options
  }

  async run(): Promise<PassOutcome> {
    const { feed, stop, flush } = this.#options
    try {
      const outcome = await this.#publishAll()
      await flush()
      if (this.#end?.failure !== undefined) throw this.#end.failure
      return outcome
    } finally {
      stop()
      await feed.return()
    }
  }

  async #publishAll(): Promise<PassOutcome> {
    const { flight, flush } = this.#options
    let outcome: PassOutcome = 'idle'
    for (;;) {
      this.#ask()
      if (this.#arrival?.settled) this.#takeArrival(this.#arrival)
      else if (flight.isHeadSettled) {
        if ((await this.#confirmHead()) === 'ended') return 'ended'
        outcome = 'advanced'
      } else if (this.#end && !flight.head) return outcome
      else {
        await flush()
        await Promise.race([this.#arrival?.promise, flight.head?.proof].filter((one) => one !== undefined))
      }
    }
  }

  #ask(): void {
    const { feed, flight } = this.#options
    if (this.#arrival || this.#end || !flight.hasRoom) return
    const arrival: { -readonly [Name in keyof Arrival]: Arrival[Name] } = {
      promise: Promise.resolve(),
      settled: false,
      result: undefined,
      failure: undefined,
    }
    arrival.promise = feed.next().then(
      (result) => void Object.assign(arrival, { settled: true, result }),
      (failure: unknown) => void Object.assign(arrival, { settled: true, failure }),
    )
    this.#arrival = arrival
  }

  #takeArrival({ result, failure }: Arrival): void {
    this.#arrival = undefined
    if (result === undefined) this.#end = { failure }
    else if (result.done) this.#end = {}
    else this.#take(result.value)
  }

  #take(source: SourceBlock): void {
    const { take, refused } = this.#options
    try {
      take(source)
    } catch (error) {
      refused(source, error)
      this.#end = { failure: error }
    }
  }

  async #confirmHead(): Promise<'published' | 'ended'> {
    const { flight, confirm, refused } = this.#options
    const head = flight.shift() as BlockInFlight
    try {
      return await confirm(head)
    } catch (error) {
      refused(head.source, error)
      throw error
    }
  }
}
