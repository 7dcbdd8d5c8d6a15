import { CallThrottle, type CallThrottleOptions } from '#src/evm/call-throttle.ts'
import { CallThreads, type CallThreadsOptions, defaultCallThreads } from '#src/evm/threads/call-threads.ts'

/** What a process runs contracts with. */
export interface ContractCalls {
  readonly threads: CallThreads
  readonly throttle: CallThrottle
  /** Of traces, which cost much more than calls. */
  readonly traceThrottle: CallThrottle
  /** What was read of the ledger lately. */
  readonly facts: KeptFacts
  close(): Promise<void>
}

/** Facts take some 300 bytes each, those of tokens 2 KiB. */
const factsMax = 20_000

export interface CallBounds extends Omit<CallThrottleOptions, 'now'>, Omit<CallThreadsOptions, 'heap'> {
  readonly tracesPerSecond: number
}

export function openContractCalls(bounds: CallBounds): ContractCalls {
  const threads = new CallThreads({ ...defaultCallThreads, ...threadsOf(bounds) })
  const now = (): number => performance.now()
  const throttle = new CallThrottle({ ...bounds, now })
  const traceThrottle = new CallThrottle({ ...bounds, requestsPerSecond: bounds.tracesPerSecond, now })
  return { threads, throttle, traceThrottle, facts: new KeptFacts(factsMax), close: () => threads.close() }
}

function threadsOf({ threads, waitingMax, deadlineMs }: CallBounds): Omit<CallThreadsOptions, 'heap'> {
  return { threads, waitingMax, deadlineMs }
}

/** Facts of instants, by what they are of: they never change, and are read once for many calls. Those asked for longest ago go first. */
class KeptFacts {
  readonly #facts = new Map<string, unknown>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#facts.size
  }

  /** What is kept under a key that says instant and fact, or is found now; what can't be found is not kept. */
  async of<T>(key: string, find: () => Promise<T>): Promise<T> {
    const isKept = this.#facts.has(key)
    const fact = isKept ? (this.#facts.get(key) as T) : await find()
    // What was asked for last stands last.
    this.#facts.delete(key)
    this.#facts.set(key, fact)
    if (this.#facts.size > this.#max) this.#facts.delete(this.#facts.keys().next().value!)
    return fact
  }
}
