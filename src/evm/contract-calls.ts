import { SizedCache } from '#src/domain/sized-cache.ts'
import { CallThrottle, type CallThrottleOptions } from '#src/evm/call-throttle.ts'
import { CallThreads, type CallThreadsOptions, defaultCallThreads } from '#src/evm/threads/call-threads.ts'

/** Facts of instants, by what they are of: they never change, and are read once for many calls. Those asked for longest ago go first. */
class KeptFacts {
  readonly #facts: SizedCache<string, { readonly fact: unknown }>

  constructor(max: number) {
    this.#facts = new SizedCache(max)
  }

  get size(): number {
    return this.#facts.size
  }

  /** What is kept under a key that says instant and fact, or is found now; what can't be found is not kept. */
  async of<T>(key: string, find: () => Promise<T>): Promise<T> {
    const { fact } = this.#facts.get(key) ?? this.#facts.keep(key, { fact: await find() })
    return fact as T
  }
}

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
